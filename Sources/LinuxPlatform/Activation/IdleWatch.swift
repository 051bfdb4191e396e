package import Platform
import Synchronization

/// Notices when nothing has reached an app for a while: no delivery, no request, and none under way.
///
/// An app that the bus has started ends then; one that a person started stays until it is stopped.
package final class IdleWatch: Sendable {
    /// How long an app that the bus started stays without work. No flow lives longer.
    package static let usualLimit = Duration.seconds(300)

    private struct State {
        var underWay = 0
        /// Counts what began and what ended.
        var changes = 0
    }

    private let limit: Duration
    private let environment: Environment
    private let state = Mutex(State())
    private let askedToLeave = Promise<Void>()

    package init(limit: Duration = IdleWatch.usualLimit, environment: Environment) {
        self.limit = limit
        self.environment = environment
    }

    /// Runs a piece of the app's work.
    func during<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        change(by: 1)
        defer { change(by: -1) }
        return try await work()
    }

    /// Has the app end now: somebody else takes its place.
    func leave() { askedToLeave.fulfil() }

    /// Returns when nothing has reached the app for the limit and `isBusy` says no, or when it was asked to leave.
    package func untilIdle(isBusy: @escaping @Sendable () async -> Bool = { false }) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [askedToLeave] in try await askedToLeave.value() }
            group.addTask { [self] in
                var isIdle = false
                while !isIdle {
                    let before = state.withLock { $0.changes }
                    try await environment.sleep(for: limit)
                    let isUntouched = state.withLock { $0.changes == before && $0.underWay == 0 }
                    if isUntouched { isIdle = await !isBusy() }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func change(by number: Int) {
        state.withLock { state in
            state.underWay += number
            state.changes += 1
        }
    }
}

extension IdleWatch {
    /// The bus, with every delivery noted.
    package func watching(_ bus: any CommandBus) -> any CommandBus { WatchedBus(bus: bus, watch: self) }

    /// The handler, with every request noted.
    package func watching(_ handler: any HTTPHandler) -> any HTTPHandler {
        WatchedHandler(handler: handler, watch: self)
    }
}

private struct WatchedHandler: HTTPHandler {
    let handler: any HTTPHandler
    let watch: IdleWatch

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        await watch.during { await handler.respond(to: request) }
    }
}

private struct WatchedBus: CommandBus {
    let bus: any CommandBus
    let watch: IdleWatch

    func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration {
        try await bus.register(name) { [watch] delivery in await watch.during { await receive(delivery) } }
    }

    func open(_ url: String, at name: String, startIfNeeded: Bool) async throws {
        try await bus.open(url, at: name, startIfNeeded: startIfNeeded)
    }

    func activate(_ action: String, parameter: String?, at name: String) async throws {
        try await bus.activate(action, parameter: parameter, at: name)
    }

    func owner(of name: String) async throws -> String? { try await bus.owner(of: name) }
    func evidence(of uniqueName: String) async throws -> PeerEvidence? { try await bus.evidence(of: uniqueName) }
    func departure(of uniqueName: String) async throws { try await bus.departure(of: uniqueName) }
    func stop() async { await bus.stop() }
}
