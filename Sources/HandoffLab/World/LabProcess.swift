import IdentityBroker
import IdentityClient
package import Platform

/// One process of an app of the world: a bus connection and a task scope of its own, over the app's lasting parts.
package final class LabProcess<Role: Sendable>: Sendable {
    /// What runs in it.
    package let role: Role
    /// Its connection to the bus, as the app itself has it.
    package let bus: any CommandBus
    private let environment: Environment
    private let life: Life

    init(role: Role, bus: any CommandBus, environment: Environment, life: Life) {
        self.role = role
        self.bus = bus
        self.environment = environment
        self.life = life
    }

    /// Starts work that belongs to the process, and ends with it.
    @discardableResult
    package func spawn<Result: Sendable>(
        _ name: String, _ work: @escaping @Sendable (Role) async throws -> Result
    ) -> Task<Result, any Error> {
        environment.spawn(name) { [role] in try await work(role) }
    }

    /// Whether it has been killed.
    package var isDead: Bool { life.hasEnded }

    /// Ends the process without a word, as `kill -9` does: nothing it still does has an effect.
    package func kill() async {
        life.end()
        await bus.stop()
        await environment.stop()
    }
}

/// A role that can be ended in order.
package protocol StoppableRole: Sendable {
    func stop() async
}

extension HandoffClient: StoppableRole {}
extension HandoffBroker: StoppableRole {}
extension CommandEndpoint: StoppableRole {
    package func stop() async { await withdraw() }
}

extension LabProcess where Role: StoppableRole {
    /// Ends the process in order.
    package func stop() async {
        await role.stop()
        await environment.stop()
        await bus.stop()
    }
}
