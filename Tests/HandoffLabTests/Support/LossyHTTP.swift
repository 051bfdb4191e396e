import Basics
import JOSE
import Platform
import Synchronization

/// A line to the provider that loses answers: the call was made, and its caller hears nothing.
final class LossyHTTP: HTTPClient {
    private struct State {
        var lost = 0
        var calls: [HTTPCall] = []
        var times: [Timestamp] = []
    }

    private let inner: any HTTPClient
    private let path: String
    private let environment: Environment
    private let state = Mutex(State())

    /// Makes a line on which nothing is lost yet.
    ///
    /// - Parameter path: the end of the address of the calls that it loses and notes.
    init(_ inner: any HTTPClient, path: String = "/token", environment: Environment) {
        self.inner = inner
        self.path = path
        self.environment = environment
    }

    /// From here on the next answers are lost, that many.
    func lose(_ count: Int) { state.withLock { $0 = State(lost: count) } }

    /// The calls since then.
    var calls: [HTTPCall] { state.withLock { $0.calls } }
    /// When each of them was made.
    var times: [Timestamp] { state.withLock { $0.times } }

    /// The keys that the calls were proved with, one for each proof that came once only.
    var proofKeys: [JSONValue] {
        get throws {
            try Set(calls.compactMap { $0.headers.single("DPoP") }).map { proof in
                let header = try Base64URL.decode(String(proof.prefix { $0 != "." }))
                return try JSONValue(parsing: header)["jwk"] ?? .null
            }
        }
    }

    func send(_ call: HTTPCall) async throws -> HTTPResponse {
        guard call.url.hasSuffix(path) else { return try await inner.send(call) }
        let isLost = state.withLock { state in
            state.calls.append(call)
            state.times.append(environment.now())
            state.lost -= 1
            return state.lost >= 0
        }
        let response = try await inner.send(call)
        if isLost { throw Fault(.httpUnreachable) }
        return response
    }
}
