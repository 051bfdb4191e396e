import Basics
import Synchronization

/// A network in memory: requests go by the URL's origin to the handler that serves it.
///
/// A handler runs as a task of the environment it serves in, as in a server's process: a client that gives up does
/// not stop it, and a party that stops takes its answers along.
package final class InMemoryNetwork: HTTPClient, LoopbackListener {
    private let routes = Mutex<(byOrigin: [String: InMemoryRoute], nextPort: Int)>(([:], 40_001))
    private let environment: Environment

    /// Makes a network; `environment` times its requests, and runs handlers that bring none of their own.
    package init(environment: Environment) { self.environment = environment }

    /// Serves an origin, such as `https://localhost:8443`, from now on.
    package func serve(_ origin: String, in environment: Environment? = nil, _ handler: any HTTPHandler) {
        let origin = URLParts(origin)?.origin ?? origin
        let route = InMemoryRoute(origin: origin, handler: handler, environment: environment ?? self.environment)
        routes.withLock { $0.byOrigin[origin] = route }
    }

    /// Serves an origin no longer; requests that are under way are answered.
    package func stopServing(_ origin: String) {
        let origin = URLParts(origin)?.origin ?? origin
        routes.withLock { $0.byOrigin[origin] = nil }
    }

    package func listen(_ handler: any HTTPHandler) async throws -> any LoopbackPort {
        try await listen(in: environment, handler)
    }

    /// Opens a loopback port whose requests run in that environment.
    package func listen(in environment: Environment, _ handler: any HTTPHandler) async throws -> any LoopbackPort {
        await Task.yield()
        return routes.withLock { routes in
            let origin = "http://127.0.0.1:\(routes.nextPort)"
            routes.nextPort += 1
            let route = InMemoryRoute(origin: origin, handler: handler, environment: environment)
            routes.byOrigin[origin] = route
            return InMemoryPort(network: self, route: route)
        }
    }

    package func send(_ call: HTTPCall) async throws -> HTTPResponse {
        try await environment.withDeadline(call.timeout, orThrow: Fault(.httpTimeout)) {
            var call = call
            for _ in 0..<10 {
                let response = try await self.exchange(call)
                guard call.followsRedirects, let next = self.redirect(of: response, to: call) else { return response }
                call = next
            }
            throw Fault(.httpUnreachable, detail: "more than 10 redirects")
        }
    }

    private func exchange(_ call: HTTPCall) async throws -> HTTPResponse {
        await Task.yield()
        guard let url = URLParts(call.url) else { throw Fault(.httpUnreachable, detail: "not an absolute URL") }
        guard let route = routes.withLock({ $0.byOrigin[url.origin] }) else {
            throw Fault(.httpUnreachable, detail: url.origin)
        }
        var headers = call.headers
        headers.set("Host", url.authority)
        let response = try await route.respond(
            to: HTTPRequest(method: call.method, path: url.path, query: url.query, headers: headers, body: call.body))
        guard response.body.count <= call.maximumBytes else {
            throw Fault(.httpTooLarge, detail: "\(response.body.count) bytes, limit \(call.maximumBytes)")
        }
        return response
    }

    /// The request that a redirect asks for (RFC 9110 §15.4), where it is one.
    private func redirect(of response: HTTPResponse, to call: HTTPCall) -> HTTPCall? {
        guard [301, 302, 303, 307, 308].contains(response.status), let url = URLParts(call.url),
            let location = response.headers.single("Location")
        else { return nil }
        var next = call
        next.url = location.hasPrefix("/") && !location.hasPrefix("//") ? url.origin + location : location
        if response.status == 303 || (response.status < 303 && call.method == "POST") {
            next.method = "GET"
            next.body = []
        }
        if URLParts(next.url)?.origin != url.origin {
            // Another origin must not get what was meant for this one.
            let kept = next.headers.fields.filter { !["authorization", "cookie"].contains($0.name.lowercased()) }
            next.headers = HTTPHeaders()
            for field in kept { next.headers.add(field.name, field.value) }
        }
        return next
    }

    fileprivate func close(_ route: InMemoryRoute) async {
        routes.withLock { routes in
            if routes.byOrigin[route.origin] === route { routes.byOrigin[route.origin] = nil }
        }
        await route.drained()
    }
}

/// A loopback port of an `InMemoryNetwork`.
private struct InMemoryPort: LoopbackPort {
    let network: InMemoryNetwork
    let route: InMemoryRoute

    var origin: String { route.origin }

    func close() async { await network.close(route) }
}
