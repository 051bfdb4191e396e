import Glibc
import Platform
import Synchronization
import Testing

@testable import LinuxPlatform

/// Answers what a test says.
struct ClosureHandler: HTTPHandler {
    let body: @Sendable (HTTPRequest) async -> HTTPResponse

    init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.body = body }

    func respond(to request: HTTPRequest) async -> HTTPResponse { await body(request) }
}

/// Tells what the gate let through.
let echo = ClosureHandler { request in
    let query = request.query.map { "?\($0)" } ?? ""
    let fields = request.headers.fields.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    let text = "\(request.method) \(request.path)\(query) [\(fields)] \(String(decoding: request.body, as: UTF8.self))"
    return HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
}

/// Runs a server on a loopback port for the length of `body`.
func withServer<Result: Sendable>(
    _ handler: any HTTPHandler = echo, loops count: Int = 1, addresses: [HTTPServerConfiguration.Address]? = nil,
    tls: TLSIdentity? = nil, limits: HTTPLimits = HTTPLimits(),
    _ body: (HTTPServer, UInt16) async throws -> Result
) async throws -> Result {
    let loops = try (0..<count).map { try EventLoop.start(name: "test-loop-\($0)") }
    defer { for loop in loops { loop.stop() } }
    let configuration = HTTPServerConfiguration(
        addresses: addresses ?? [.tcp(address: "127.0.0.1", port: 0)], authority: .host("localhost"), tls: tls,
        limits: limits)
    let server = try await HTTPServer.start(configuration, handler: handler, loops: loops)
    do {
        let result = try await body(server, try #require(server.port))
        await server.stop(grace: .zero)
        return result
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
}

/// Something that one task waits for and another lets happen.
final class Signal: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiters.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}

/// A folder that is removed at the end.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/countersign-http-XXXXXX\0".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer { _ = remove(path) }
    return try await body(path)
}

/// Runs a program to its end, with nothing to read, and gives back what it wrote.
func output(of program: String, _ arguments: [String]) async throws -> String {
    try await onOwnThread {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw RawPeer.Failure(what: "pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        var process = pid_t()
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        let status = posix_spawnp(&process, program, &actions, nil, &argv, environ)
        for argument in argv { free(argument) }
        posix_spawn_file_actions_destroy(&actions)
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { throw RawPeer.Failure(what: "spawn \(program)") }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(ends[0], &buffer, buffer.count), count > 0 { text += buffer[..<count] }
        var ignored: Int32 = 0
        waitpid(process, &ignored, 0)
        return String(decoding: text, as: UTF8.self)
    }
}
