import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import Synchronization

/// One real app, brought into one stage of a flow; its peer is a script with the peer's own keys.
protocol AppInStage: Sendable {
    static var role: AppRole { get }
    static func plan() throws -> WorldPlan

    var id: String { get }
    var peerID: String { get }
    /// The flow that the messages name.
    var flow: FlowID { get }
    var peer: LabProcess<CommandEndpoint> { get }
    /// Another app of the peer's role, registered as well.
    var stranger: LabProcess<CommandEndpoint> { get }

    init(_ world: LabWorld, _ stage: FlowStage) async throws
    /// Kills the app and starts it again.
    mutating func restart(_ world: LabWorld) async throws
    func stage() async throws -> FlowStage
    /// Sends a message as the flow's own peer would, or a stranger.
    ///
    /// - Parameter isAstray: whether it answers a command that nobody sent.
    func deliver(
        _ message: FlowMessage, _ world: LabWorld, by sender: LabProcess<CommandEndpoint>, isAstray: Bool
    ) async throws
    func stop() async
}

/// The commands that a scripted peer got, in order.
final class Mailbox: Sendable {
    private let got = Mutex<[VerifiedCommand]>([])
    private let environment: Environment

    init(_ environment: Environment) { self.environment = environment }

    func note(_ command: VerifiedCommand) { got.withLock { $0.append(command) } }

    /// The last command of that name.
    func last(_ name: CommandName) throws -> VerifiedCommand {
        guard let command = got.withLock({ $0.last { $0.name == name } }) else { throw Fault(.deadlinePassed) }
        return command
    }

    /// Waits for the first command of that name.
    func first(_ name: CommandName) async throws -> VerifiedCommand {
        for _ in 0..<1_000 {
            if let command = got.withLock({ $0.first { $0.name == name } }) { return command }
            try await environment.sleep(for: .milliseconds(20))
        }
        throw Fault(.deadlinePassed, "no \(name.rawValue) came")
    }
}

/// HTTP that never answers, once it is told to.
final class HeldHTTP: HTTPClient {
    private let inner: any HTTPClient
    private let isHeld: Bool

    init(_ inner: any HTTPClient, isHeld: Bool) {
        self.inner = inner
        self.isHeld = isHeld
    }

    func send(_ call: HTTPCall) async throws -> HTTPResponse {
        if isHeld { return try await Promise<HTTPResponse>().value() }
        return try await inner.send(call)
    }
}

extension LabWorld {
    /// A scripted peer that keeps what it gets.
    func scripted(_ id: String, _ role: AppRole, _ mailbox: Mailbox) async throws -> LabProcess<CommandEndpoint> {
        try await endpoint(of: id, role: role) { endpoint, delivery in
            guard case .open(let url) = delivery.content,
                let incoming = try? await endpoint.accept(url, from: delivery.sender)
            else { return }
            mailbox.note(incoming.command)
        }
    }
}

extension CommandID {
    /// An id that nothing has.
    static let nobodys = CommandID(randomBytes: [UInt8](repeating: 9, count: 16))
}
