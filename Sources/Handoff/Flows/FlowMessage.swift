/// What the contract tells apart among what arrives: the command, and what it says where that matters.
///
/// A new command gets its cases here and in `init`; the compiler then asks for their rows in `FlowContract+client.swift`
/// and `FlowContract+broker.swift`, and for a sample in the test that drives every cell (`ContractTests`).
package enum FlowMessage: String, Sendable, CaseIterable {
    /// Asks for a login, unasked.
    case authrequest
    /// Asks for a login in answer to an invitation.
    case authrequestToInvitation = "authrequest (to an invitation)"
    case authresponse
    case idpinit
    case idpauthcodeinit
    case error
    case loggedIn = "authack (logged_in)"
    case switched = "authack (switched)"
    case failed = "authack (failed)"
    case cancel
    case logout
    case logoutack
    case ping
    case pong

    /// What a command is to the contract.
    package init(_ command: VerifiedCommand) {
        switch command.command {
        case .authrequest: self = command.inReplyTo == nil ? .authrequest : .authrequestToInvitation
        case .authresponse: self = .authresponse
        case .idpinit: self = .idpinit
        case .idpauthcodeinit: self = .idpauthcodeinit
        case .error: self = .error
        case .authack(let report):
            switch report.outcome {
            case .loggedIn: self = .loggedIn
            case .switched: self = .switched
            case .failed: self = .failed
            }
        case .cancel: self = .cancel
        case .logout: self = .logout
        case .logoutack: self = .logoutack
        case .ping: self = .ping
        case .pong: self = .pong
        }
    }
}
