import Basics
import Handoff
import JOSE

/// What a flow makes of one event: exactly one of these.
enum Reaction: Equatable, CustomStringConvertible {
    /// The event changed nothing, and nothing follows.
    case ignored
    /// The command was refused, and the flow is what it was.
    case refused(ErrorCode)
    /// The actions, in order, by their names.
    case does([String])

    var description: String {
        switch self {
        case .ignored: "ignored"
        case .refused(let code): "refused: \(code.name)"
        case .does(let actions): actions.joined(separator: ", ")
        }
    }
}

enum FlowFixture {
    static let issuer = "http://localhost:8080"
    static let request = World.commandID(1)
    static let answer = World.commandID(2)
    static let deadline = World.now + .seconds(120)

    static func fromIDP(
        _ command: Command, irt: CommandID? = request, id: CommandID = answer, flow: Int = 1,
        by sender: Party = World.idp
    ) throws -> VerifiedCommand {
        try Samples.verified(
            command, from: sender, to: World.client, flow: try World.flow(flow), inReplyTo: irt, id: id)
    }

    static func fromClient(
        _ command: Command, irt: CommandID?, id: CommandID = World.commandID(8), flow: Int = 1,
        by sender: Party = World.client
    ) throws -> VerifiedCommand {
        try Samples.verified(
            command, from: sender, to: World.idp, flow: try World.flow(flow), inReplyTo: irt, id: id)
    }

    static func response(
        code: String = "the-code", issuer: String = issuer, clientID: String = "notes", state: String = "the-state"
    ) -> Command {
        .authresponse(
            SPLoginResponse(code: Secret(code), issuer: issuer, clientID: clientID, state: state, subject: "u1"))
    }
}

/// A command with what was sent with it, in words.
func words(_ command: Command, _ inReplyTo: CommandID?) -> String {
    let answer = inReplyTo.map { " to \($0.text.prefix(2))" } ?? ""
    return switch command {
    case .authack(let report): "authack \(report.outcome.rawValue)\(answer)"
    case .error(let error): "error \(error.reason.rawValue)\(answer)"
    default: "\(command.name.rawValue)\(answer)"
    }
}
