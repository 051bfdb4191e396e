package import Platform

/// The connection to the bus of a home, and the party's place on it: to stop the one is to leave the other.
package struct HomeCommandBus: CommandBus {
    private let connection: DBusCommandBus
    private let membership: HomeBus

    /// Takes over a connection and the membership it was made under.
    init(connection: DBusCommandBus, membership: HomeBus) {
        self.connection = connection
        self.membership = membership
    }

    /// The address of the bus.
    package var address: String { membership.address }
    /// Whether it is the home's private one.
    package var isPrivate: Bool { membership.isPrivate }

    /// Returns when the connection has ended, by `stop()` or because the bus has gone.
    package func ended() async throws { try await connection.ended() }

    package func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration { try await connection.register(name, receive: receive) }

    package func open(_ url: String, at name: String, startIfNeeded: Bool) async throws {
        try await connection.open(url, at: name, startIfNeeded: startIfNeeded)
    }

    package func activate(_ action: String, parameter: String?, at name: String) async throws {
        try await connection.activate(action, parameter: parameter, at: name)
    }

    package func owner(of name: String) async throws -> String? { try await connection.owner(of: name) }

    package func evidence(of uniqueName: String) async throws -> PeerEvidence? {
        try await connection.evidence(of: uniqueName)
    }

    package func departure(of uniqueName: String) async throws { try await connection.departure(of: uniqueName) }

    package func stop() async {
        await connection.stop()
        await membership.leave()
    }
}
