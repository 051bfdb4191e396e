import Basics
import Synchronization

/// One origin that is served in an `InMemoryNetwork`.
final class InMemoryRoute: Sendable {
    let origin: String
    private let handler: any HTTPHandler
    private let environment: Environment
    private let open = Mutex<(count: Int, waiters: [Promise<Void>])>((0, []))

    init(origin: String, handler: any HTTPHandler, environment: Environment) {
        self.origin = origin
        self.handler = handler
        self.environment = environment
    }

    /// The handler's answer, by a task of the server; `http-unreachable` when the server stops meanwhile.
    func respond(to request: HTTPRequest) async throws -> HTTPResponse {
        let answer = Promise<HTTPResponse>()
        start(request, answer)
        return try await answer.value()
    }

    private func start(_ request: HTTPRequest, _ answer: Promise<HTTPResponse>) {
        let exchange = Exchange(route: self, answer: answer)
        environment.spawn("request at \(origin)") { [handler] in
            let response = await handler.respond(to: request)
            try Task.checkCancellation()
            exchange.answer.fulfil(response)
        }
    }

    /// One request under way. Only the server's task holds it: when that ends, or never starts because its party has
    /// stopped, the client hears of it.
    private final class Exchange: Sendable {
        let route: InMemoryRoute
        let answer: Promise<HTTPResponse>

        init(route: InMemoryRoute, answer: Promise<HTTPResponse>) {
            self.route = route
            self.answer = answer
            route.begin()
        }

        deinit {
            answer.settle(.failure(Fault(.httpUnreachable, detail: "the server stopped before it answered")))
            route.end()
        }
    }

    private func begin() { open.withLock { $0.count += 1 } }

    private func end() {
        let waiters: [Promise<Void>] = open.withLock { open in
            open.count -= 1
            guard open.count == 0 else { return [] }
            defer { open.waiters = [] }
            return open.waiters
        }
        for waiter in waiters { waiter.fulfil() }
    }

    /// Returns when no request is open.
    func drained() async {
        let waiter = Promise<Void>()
        open.withLock { open in
            if open.count == 0 { waiter.fulfil() } else { open.waiters.append(waiter) }
        }
        try? await waiter.value()
    }
}
