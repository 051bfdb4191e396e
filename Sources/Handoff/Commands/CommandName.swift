/// The commands of the hand-off by their wire names (docs/handoff-protocol.md).
package enum CommandName: String, Sendable, Codable, CaseIterable {
    /// The client asks for a login.
    case authrequest
    /// The identity provider app hands over a code.
    case authresponse
    /// The identity provider app invites the client to switch to, or log in, a user.
    case idpinit
    /// The identity provider app hands over a code unasked; the verifier waits in the secret group.
    case idpauthcodeinit
    /// A refusal, correlated to what it refuses.
    case error
    /// The client's final outcome.
    case authack
    /// Either side gives up this flow.
    case cancel
    /// End a login: in one app, on this device, everywhere.
    case logout
    /// The receipt of a `logout`.
    case logoutack
    /// Is the peer there, and which protocol does it speak?
    case ping
    /// The answer to `ping`.
    case pong

    /// Whether the command says something about a person, and so must be nested: signed, then encrypted.
    package var isPersonal: Bool {
        switch self {
        case .authrequest, .authresponse, .idpinit, .idpauthcodeinit, .logout: true
        case .error, .authack, .cancel, .logoutack, .ping, .pong: false
        }
    }

    /// Which role may send the command; `nil` for either.
    package var sender: AppRole? {
        switch self {
        case .authrequest, .authack: .client
        case .authresponse, .idpinit, .idpauthcodeinit: .identityProvider
        case .error, .cancel, .logout, .logoutack, .ping, .pong: nil
        }
    }

    /// Whether the command always answers another one, and so must carry `irt`.
    package var isAnswer: Bool {
        switch self {
        case .authresponse, .error, .authack, .logoutack, .pong: true
        case .authrequest, .idpinit, .idpauthcodeinit, .cancel, .logout, .ping: false
        }
    }
}

/// The two roles in a hand-off.
package enum AppRole: String, Sendable, Codable {
    case client
    case identityProvider = "identity-provider"
}
