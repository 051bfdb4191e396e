import Basics
import Handoff
import Platform
import Synchronization

/// A wire tap on one app's bus connection: it sees each URL that leaves, and may send it another way.
final class TappedBus: CommandBus {
    enum Verdict: Sendable {
        case pass
        /// The sender believes that it was delivered.
        case drop
    }

    private let inner: any CommandBus
    private let decide: @Sendable (CommandName, String) async throws -> Verdict

    init(_ inner: any CommandBus, _ decide: @escaping @Sendable (CommandName, String) async throws -> Verdict) {
        self.inner = inner
        self.decide = decide
    }

    func open(_ url: String, at name: String, startIfNeeded: Bool) async throws {
        if let command = Tap.command(in: url), try await decide(command, url) == .drop { return }
        try await inner.open(url, at: name, startIfNeeded: startIfNeeded)
    }

    func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration { try await inner.register(name, receive: receive) }

    func activate(_ action: String, parameter: String?, at name: String) async throws {
        try await inner.activate(action, parameter: parameter, at: name)
    }
    func owner(of name: String) async throws -> String? { try await inner.owner(of: name) }
    func evidence(of uniqueName: String) async throws -> PeerEvidence? { try await inner.evidence(of: uniqueName) }
    func departure(of uniqueName: String) async throws { try await inner.departure(of: uniqueName) }
    func stop() async { await inner.stop() }
}

/// What a tap saw.
final class Tap: Sendable {
    private let seen = Mutex<[(name: CommandName, url: String)]>([])

    var names: [CommandName] { seen.withLock { $0.map(\.name) } }

    func urls(_ name: CommandName) -> [String] { seen.withLock { $0.filter { $0.name == name }.map(\.url) } }

    func note(_ name: CommandName, _ url: String) { seen.withLock { $0.append((name, url)) } }

    /// Lets everything pass and notes it.
    func listening(on bus: any CommandBus) -> any CommandBus {
        TappedBus(bus) { [self] name, url in
            note(name, url)
            return .pass
        }
    }

    static func command(in url: String) -> CommandName? {
        CommandName.allCases.first { url.contains("/\(CommandURL.version)/\($0.rawValue)?") }
    }
}

/// A tap on one app's HTTP calls.
struct TappedHTTP: HTTPClient {
    let inner: any HTTPClient
    let saw: @Sendable (HTTPCall, HTTPResponse) async -> Void

    func send(_ call: HTTPCall) async throws -> HTTPResponse {
        let response = try await inner.send(call)
        await saw(call, response)
        return response
    }
}

/// Notes every HTTP call of a process; some of them may fail, or be answered otherwise.
final class NotedHTTP: HTTPClient {
    private let inner: any HTTPClient
    private let noted = Mutex<[String]>([])
    private let answer: Mutex<(@Sendable (HTTPCall, HTTPResponse) -> HTTPResponse)?>

    init(_ inner: any HTTPClient, answering answer: (@Sendable (HTTPCall, HTTPResponse) -> HTTPResponse)? = nil) {
        self.inner = inner
        self.answer = Mutex(answer)
    }

    var urls: [String] { noted.withLock { $0 } }

    func count(of path: String) -> Int { urls.count { $0.hasSuffix(path) } }

    /// From here on every call is answered as the test says, after it was made.
    func answer(_ answer: (@Sendable (HTTPCall, HTTPResponse) -> HTTPResponse)?) {
        self.answer.withLock { $0 = answer }
    }

    func send(_ call: HTTPCall) async throws -> HTTPResponse {
        noted.withLock { $0.append(call.url) }
        let response = try await inner.send(call)
        return answer.withLock { $0 }?(call, response) ?? response
    }
}

/// Notes what was opened, and opens nothing.
final class NotedOpener: URLOpener {
    private let noted = Mutex<[String]>([])
    var opened: [String] { noted.withLock { $0 } }
    var isAvailable: Bool { true }
    func open(_ url: String) async throws { noted.withLock { $0.append(url) } }
}
