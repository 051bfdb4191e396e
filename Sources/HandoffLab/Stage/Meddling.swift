import Basics
package import Handoff
package import IdentityClient
import JOSE
package import Platform

/// What a registered client says, with its own good keys, in a flow of another.
///
/// It knows more than any client could: the flow is the victim's, and the command that is answered is the one whose
/// answer the receiver waits for.
package struct Meddling: Sendable {
    /// The commands by which a client can try to end the login of another.
    package static let commands: [CommandName] = [.cancel, .error, .authack]

    private let commands: [Command]
    private let flow: FlowID
    private let answered: CommandID?

    /// Finds out what there is to say.
    ///
    /// - Parameters:
    ///   - flows: the victim's flows.
    ///   - log: what the victim has written.
    ///   - received: what the receiver has written.
    /// - Throws: `nothing-captured`, `meddling-command`.
    init(_ order: MeddlingOrder, flows: [FlowState], log: [TraceEntry], received: [TraceEntry]) throws {
        guard let flow = Self.newest(of: flows, in: log) else {
            throw Fault(.nothingCaptured, "\(order.victim) has no flow yet.")
        }
        let lines = received.filter { $0.flow == flow }
        let last = lines.last { $0.kind == .sent } ?? lines.last { $0.kind == .received }
        commands = try order.commands.map(Self.command)
        self.flow = try FlowID(flow)
        answered = try last?.text("jti").map { try CommandID($0) }
    }

    /// The commands as URLs.
    ///
    /// - Parameter keys: those of the client that meddles.
    func urls(
        from id: AppID, signedBy keys: AppKeys, to receiver: Peer, _ environment: Environment
    ) throws -> [String] {
        let sealer = CommandSealer(sender: id, key: keys.command)
        func newID() -> CommandID { CommandID(randomBytes: environment.randomBytes(16)) }
        return try commands.map { command in
            try sealer.seal(
                command, to: receiver, flow: flow, inReplyTo: command.name.isAnswer ? answered ?? newID() : nil,
                id: newID(), now: environment.now()
            ).url
        }
    }

    private static func command(_ name: CommandName) throws -> Command {
        switch name {
        case .cancel: return .cancel
        case .error: return .error(AuthError(.accessDenied))
        case .authack: return .authack(AuthAcknowledgement(.loggedIn))
        case .logoutack: return .logoutack(LogoutAcknowledgement(.loggedOut))
        case .authrequest, .authresponse, .idpinit, .idpauthcodeinit, .logout, .ping, .pong:
            throw Fault(.meddlingCommand, "\(name.rawValue) is no command to meddle with.")
        }
    }

    /// The flow that began last; one under way goes before those that have ended.
    private static func newest(of flows: [FlowState], in log: [TraceEntry]) -> String? {
        let pending = flows.filter { $0.end == nil }
        var ids = Set((pending.isEmpty ? flows : pending).map(\.id))
        var newest = ids.min()
        for flow in log.compactMap(\.flow) where ids.remove(flow) != nil { newest = flow }
        return newest
    }
}

extension Peer {
    /// An app as those see it who know its manifest and its keys.
    package init(_ manifest: AppManifest, keys: AppKeys) throws {
        guard let scheme = manifest.schemes.first else { throw Fault(.appNotEnrolled) }
        self.init(
            id: try AppID(manifest.id), role: manifest.role == .client ? .client : .identityProvider,
            displayName: manifest.displayName, scheme: scheme, commandKeys: [keys.command.verificationKey],
            encryptionKey: keys.encryption.encryptionKey)
    }
}
