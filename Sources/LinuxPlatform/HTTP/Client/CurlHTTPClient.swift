import Basics
package import Platform

/// Sends HTTP requests with libcurl, on a thread of its own.
///
/// TLS is always verified, redirects are followed only where a call asks for it, and loopback addresses are reached
/// without a proxy. Connections are kept and used again.
package final class CurlHTTPClient: HTTPClient {
    /// A Unix socket that takes the place of an authority's TCP address.
    package enum Route: Sendable, Equatable {
        /// The server at the socket speaks what the URL says.
        case socket(String)
        /// The server at the socket speaks http, whatever the URL says: TLS ends in front of its TCP address only.
        case plainSocket(String)
    }

    /// What a client trusts, and how it reaches servers.
    package struct Configuration: Sendable {
        /// A PEM file with the authorities that servers are verified against; `nil`: those of the machine.
        package var authorityFile: String?
        /// The Unix socket for an authority such as `localhost:4711`. There is no way back to TCP: whoever takes the
        /// port while the server is down gets nothing.
        package var routes: [String: Route]
        /// For the connection alone, within a call's timeout.
        package var connectTimeout: Duration

        package init(
            authorityFile: String? = nil, routes: [String: Route] = [:], connectTimeout: Duration = .seconds(5)
        ) {
            self.authorityFile = authorityFile
            self.routes = Dictionary(routes.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
            self.connectTimeout = connectTimeout
        }
    }

    private let engine: CurlEngine

    /// Starts a client.
    ///
    /// - Throws: `loop-unavailable` when the machine gives no thread.
    package init(_ configuration: Configuration = Configuration()) throws {
        engine = try CurlEngine.start(configuration)
    }

    deinit { engine.stop() }

    package func send(_ call: HTTPCall) async throws -> HTTPResponse {
        let deadline = MonotonicTime.now() + call.timeout
        var call = call
        // As many as the Fetch standard follows.
        for _ in 0...20 {
            let answer = try await exchange(call)
            guard call.followsRedirects, let url = answer.redirect else { return answer.response }
            call = try Redirect.call(after: call, answer.response.status, to: url)
            call.timeout = MonotonicTime.now().duration(to: deadline)
        }
        throw Fault(.httpUnreachable, "The server redirects in a circle.")
    }

    private func exchange(_ call: HTTPCall) async throws -> CurlTransfer.Answer {
        let transfer = CurlTransfer(call)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                transfer.wait(continuation)
                engine.submit(transfer)
            }
        } onCancel: {
            // It may come before the transfer was submitted: the engine looks at the mark first.
            transfer.markCancelled()
            engine.wake()
        }
    }

    /// Ends the client: calls under way end with `CancellationError`, later ones too.
    package func stop() { engine.stop() }
}
