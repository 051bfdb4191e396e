package import Basics

/// One command with its fields. The envelope around it says who, to whom, when and in which flow.
package enum Command: Sendable, Hashable {
    case authrequest(SPLoginRequest)
    case authresponse(SPLoginResponse)
    case idpinit(IDPLoginRequest)
    case idpauthcodeinit(IDPAuthCodeLoginRequest)
    case error(AuthError)
    case authack(AuthAcknowledgement)
    case cancel
    case logout(LogoutRequest)
    case logoutack(LogoutAcknowledgement)
    case ping(Ping)
    case pong(Pong)

    /// The wire name.
    package var name: CommandName {
        switch self {
        case .authrequest: .authrequest
        case .authresponse: .authresponse
        case .idpinit: .idpinit
        case .idpauthcodeinit: .idpauthcodeinit
        case .error: .error
        case .authack: .authack
        case .cancel: .cancel
        case .logout: .logout
        case .logoutack: .logoutack
        case .ping: .ping
        case .pong: .pong
        }
    }

    /// The command's own fields, under their wire names.
    package var fields: [String: JSONValue] {
        switch self {
        case .authrequest(let command): command.fields
        case .authresponse(let command): command.fields
        case .idpinit(let command): command.fields
        case .idpauthcodeinit(let command): command.fields
        case .error(let command): command.fields
        case .authack(let command): command.fields
        case .cancel: [:]
        case .logout(let command): command.fields
        case .logoutack(let command): command.fields
        case .ping(let command): command.fields
        case .pong(let command): command.fields
        }
    }

    /// Reads a command's own fields; throws `command-meaning` on a missing, unknown or ill-typed one.
    package init(_ name: CommandName, fields: [String: JSONValue]) throws(Fault) {
        var reader = FieldReader(fields)
        switch name {
        case .authrequest: self = .authrequest(try SPLoginRequest(&reader))
        case .authresponse: self = .authresponse(try SPLoginResponse(&reader))
        case .idpinit: self = .idpinit(try IDPLoginRequest(&reader))
        case .idpauthcodeinit: self = .idpauthcodeinit(try IDPAuthCodeLoginRequest(&reader))
        case .error: self = .error(try AuthError(&reader))
        case .authack: self = .authack(try AuthAcknowledgement(&reader))
        case .cancel: self = .cancel
        case .logout: self = .logout(try LogoutRequest(&reader))
        case .logoutack: self = .logoutack(try LogoutAcknowledgement(&reader))
        case .ping: self = .ping(try Ping(&reader))
        case .pong: self = .pong(try Pong(&reader))
        }
        try reader.finish()
    }
}
