import Basics
import Handoff
import Platform

/// Learning what happened to the app's logins while it was away.
extension HandoffClient {
    /// Says which process of this app has arrived: its unique name on the bus.
    private static let arrivals = Table<String>("arrival")
    private static let arrival = "arrival"

    /// Asks the identity provider apps that are on the bus what happened while this app was away, once in the life of
    /// this process. A logout that waited has then been taken.
    ///
    /// The first use of a token does it by itself. That nobody answers ends nothing: the provider has revoked what was
    /// logged out, and refuses it.
    public func arrive() async {
        let flight =
            arriving
            ?? surroundings.environment.spawn("arrive") { [self] in
                do {
                    try await askWhatHappened()
                } catch {
                    await journal(
                        .note, nil, "what happened meanwhile could not be asked",
                        code: (error as? any CodedError)?.code)
                }
            }
        arriving = flight
        _ = await flight.result
    }

    private func askWhatHappened() async throws {
        let present = try await presentProviders()
        guard try await isOwner(needed: !present.isEmpty) else { return try await awaitOwner() }
        for entry in present {
            // What waits for this app is told before the `pong`.
            do {
                _ = try await endpoint.ensurePresence(of: entry.peer)
            } catch {
                journal(.note, nil, "\(entry.peer.id) did not answer", code: (error as? any CodedError)?.code)
            }
        }
        guard let name = await endpoint.uniqueName else { return }
        try await surroundings.store.write(.normal) { try Self.arrivals.put(Self.arrival, name, in: $0) }
    }

    /// The identity provider apps on the bus that this app has logins from.
    private func presentProviders() async throws -> [IdentityProviderEntry] {
        let sources = try surroundings.store.read { try accounts.store.identityProviders(in: $0) }
        var present: [IdentityProviderEntry] = []
        for entry in try identityProviders where sources.contains(entry.peer.id.text) {
            if try await surroundings.bus.owner(of: entry.peer.id.text) != nil { present.append(entry) }
        }
        return present
    }

    /// Whether this process is the app on the bus; it becomes so for the question, where nobody else is.
    private func isOwner(needed: Bool) async throws -> Bool {
        if await endpoint.isRegistered { return true }
        let owner = try await surroundings.bus.owner(of: surroundings.manifest.id)
        guard owner == nil else { return false }
        guard needed else { return true }
        do {
            try await register()
            // Nothing of an earlier process is taken up here, so there is nothing to wait for.
            await endpoint.finishSettingUp()
            return true
        } catch ErrorCode.busNameTaken {
            return false
        }
    }

    /// Another process of this app is the one that is told: waits until it has been, or has gone.
    private func awaitOwner() async throws {
        let end = surroundings.environment.now() + .seconds(5)
        while surroundings.environment.now() < end {
            guard let owner = try await surroundings.bus.owner(of: surroundings.manifest.id) else {
                return try await askWhatHappened()
            }
            let arrived = try surroundings.store.read { try Self.arrivals.find(Self.arrival, in: $0) }
            if arrived == owner { return }
            try await surroundings.environment.sleep(for: .milliseconds(20))
        }
    }

    /// Owns the app's name on the bus.
    func register() async throws {
        try await endpoint.register { [weak self] delivery in await self?.receive(delivery) }
        _ = try await surroundings.store.write(.normal) { try Self.arrivals.remove(Self.arrival, in: $0) }
    }
}
