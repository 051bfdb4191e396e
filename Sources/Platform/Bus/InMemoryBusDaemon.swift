import Basics
import Synchronization

/// A bus in memory: what `dbus-daemon` is to a home, for tests and simulations.
///
/// Each connection has a unique name that is never used again. A delivery runs as a task of the receiver's
/// environment; the sender's answer does not wait for it.
package final class InMemoryBusDaemon: Sendable {
    struct Owner: Sendable {
        var connection: InMemoryBus
        var receive: @Sendable (Delivery) async -> Void
    }

    private struct State {
        var connections: [String: InMemoryBus] = [:]
        var owners: [String: Owner] = [:]
        var services: [String: @Sendable () async throws -> Void] = [:]
        var starts: [String: Task<Void, any Error>] = [:]
        var monitors: [@Sendable (String) -> Void] = []
        var count = 0
        var stopped = false
    }

    private let state = Mutex(State())
    private let environment: Environment

    /// Makes a bus whose connections run their deliveries in parties of `environment` unless they bring their own.
    package init(environment: Environment) { self.environment = environment }

    /// A new connection, of a process as the daemon would see it.
    package func connect(
        userID: UInt32 = 1000, processID: Int32? = nil, executable: String? = nil, environment: Environment? = nil
    ) -> any CommandBus {
        let environment = environment ?? self.environment
        return state.withLock { state in
            state.count += 1
            let number = state.count
            let evidence = PeerEvidence(
                uniqueName: ":1.\(number)", userID: userID, processID: processID ?? Int32(clamping: 1000 + number),
                executable: executable)
            let connection = InMemoryBus(daemon: self, evidence: evidence, environment: environment)
            if state.stopped {
                connection.departed.fulfil()
            } else {
                state.connections[evidence.uniqueName] = connection
            }
            return connection
        }
    }

    /// Makes `name` a service that the bus can start: `start` returns once the app owns its name.
    package func install(_ name: String, start: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.services[name] = start }
    }

    /// Shows every URL that is opened on the bus from now on, whoever it is for, before its receiver has it.
    package func monitor(_ saw: @escaping @Sendable (String) -> Void) { state.withLock { $0.monitors.append(saw) } }

    /// Ends the bus: every connection leaves, and none can be made any more.
    package func stop() {
        let connections = state.withLock { state in
            state.stopped = true
            return state.connections.values.sorted { $0.number < $1.number }
        }
        for connection in connections { leave(connection) }
    }

    // MARK: What connections ask of it

    func claim(_ name: String, for owner: Owner) throws {
        try state.withLock { state in
            guard state.connections[owner.connection.uniqueName] != nil else { throw Fault(.busUnavailable) }
            guard state.owners[name] == nil else { throw Fault(.busNameTaken, detail: name) }
            state.owners[name] = owner
        }
    }

    func release(_ name: String, of connection: InMemoryBus) {
        state.withLock { state in
            if state.owners[name]?.connection === connection { state.owners[name] = nil }
        }
    }

    func leave(_ connection: InMemoryBus) {
        state.withLock { state in
            state.connections[connection.uniqueName] = nil
            state.owners = state.owners.filter { $0.value.connection !== connection }
        }
        connection.departed.fulfil()
    }

    func show(_ url: String) {
        for saw in state.withLock(\.monitors) { saw(url) }
    }

    func connection(_ uniqueName: String) -> InMemoryBus? { state.withLock { $0.connections[uniqueName] } }

    func owner(of name: String) -> String? { state.withLock { $0.owners[name]?.connection.uniqueName } }

    /// Who receives at a name: its owner, or the connection of that unique name by the first name that it owns.
    func receiver(at name: String) -> Owner? {
        state.withLock { state in
            guard name.hasPrefix(":") else { return state.owners[name] }
            return state.owners.filter { $0.value.connection.uniqueName == name }.min { $0.key < $1.key }?.value
        }
    }

    /// Starts the service of that name, once for all who ask meanwhile.
    func start(_ name: String) async throws {
        let start: Task<Void, any Error>? = state.withLock { state in
            if let running = state.starts[name] { return running }
            guard let service = state.services[name] else { return nil }
            let task = environment.spawn("start \(name)") { [self] in
                defer { self.state.withLock { $0.starts[name] = nil } }
                try await service()
            }
            state.starts[name] = task
            return task
        }
        guard let start else { return }
        let started = Promise<Void>()
        environment.spawn("await \(name)") { started.settle(await start.result) }
        do {
            try await started.value()
        } catch is CancellationError where Task.isCancelled {
            // Who no longer waits leaves; the start goes on for the others.
            throw CancellationError()
        } catch {
            throw Fault(.peerNotStarted, detail: "starting \(name) failed", underlying: error)
        }
    }
}
