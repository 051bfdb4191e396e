import Basics

/// One connection to an `InMemoryBusDaemon`.
final class InMemoryBus: CommandBus {
    let departed = Promise<Void>()
    private let daemon: InMemoryBusDaemon
    private let evidence: PeerEvidence
    private let environment: Environment

    var uniqueName: String { evidence.uniqueName }
    var number: Int { Int(uniqueName.dropFirst(3)) ?? 0 }

    init(daemon: InMemoryBusDaemon, evidence: PeerEvidence, environment: Environment) {
        self.daemon = daemon
        self.evidence = evidence
        self.environment = environment
    }

    func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration {
        try await roundTrip()
        try daemon.claim(name, for: InMemoryBusDaemon.Owner(connection: self, receive: receive))
        return InMemoryBusRegistration(connection: self, daemon: daemon, name: name)
    }

    func open(_ url: String, at name: String, startIfNeeded: Bool) async throws {
        try await roundTrip()
        if startIfNeeded, daemon.receiver(at: name) == nil { try await daemon.start(name) }
        daemon.show(url)
        try deliver(.open(url: url), at: name)
    }

    func activate(_ action: String, parameter: String?, at name: String) async throws {
        try await roundTrip()
        try deliver(.action(name: action, parameter: parameter), at: name)
    }

    func owner(of name: String) async throws -> String? {
        try await roundTrip()
        return daemon.owner(of: name)
    }

    func evidence(of uniqueName: String) async throws -> PeerEvidence? {
        try await roundTrip()
        return daemon.connection(uniqueName)?.evidence
    }

    func departure(of uniqueName: String) async throws {
        try await roundTrip()
        guard let peer = daemon.connection(uniqueName) else { return }
        try await peer.departed.value()
    }

    func stop() async {
        await Task.yield()
        daemon.leave(self)
    }

    /// The scheduling point that each question to a real bus has.
    private func roundTrip() async throws {
        await Task.yield()
        try Task.checkCancellation()
        guard daemon.connection(uniqueName) === self else { throw Fault(.busUnavailable) }
    }

    private func deliver(_ content: Delivery.Content, at name: String) throws {
        guard let receiver = daemon.receiver(at: name) else { throw Fault(.peerNotRunning, detail: name) }
        let delivery = Delivery(content, sender: evidence)
        receiver.connection.environment.spawn("delivery at \(name)") { await receiver.receive(delivery) }
    }
}

/// A name that a connection of an `InMemoryBusDaemon` owns.
private struct InMemoryBusRegistration: BusRegistration {
    let connection: InMemoryBus
    let daemon: InMemoryBusDaemon
    let name: String

    var uniqueName: String { connection.uniqueName }

    func withdraw() async {
        await Task.yield()
        daemon.release(name, of: connection)
    }
}
