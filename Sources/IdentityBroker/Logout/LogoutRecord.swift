import Basics
import Handoff
import Platform

/// A logout of this device, or of everywhere, as it is stored: first the provider ends the sessions, then the apps are
/// told.
struct LogoutRecord: Codable, Sendable {
    static let table = Table<LogoutRecord>("logout")

    /// How far it has come.
    enum Phase: String, Codable {
        /// The provider is asked to end the sessions.
        case revoking
        /// The apps are told, each by a `LogoutNotice`.
        case telling
    }

    var flow: FlowID
    var issuer: String
    var subject: String
    var scope: LogoutRequest.Scope
    /// The sessions that this device's logins of the account hang on.
    var sessions: [String]
    /// What proves the account to the provider (`AccountProof`), sealed; gone once the provider has been told.
    var sealedProof: String?
    var phase = Phase.revoking
    /// Whether the provider has ended the sessions.
    var isRevoked = false
    var expires: Timestamp

    /// How long the apps are told: no token of a hand-off lives longer, and no logout token.
    static let life: Duration = .seconds(30 * 86_400)

    /// Whether there is still something to say to the provider.
    private var isOpen: Bool { phase == .revoking || sealedProof != nil }

    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(
            flow.text, self, family: isOpen ? "open" : "done", expires: expires, in: transaction)
    }

    static func purpose(_ flow: FlowID) -> String { "logout \(flow.text)" }
}

/// What proves to the provider whose sessions are meant.
struct AccountProof: Codable, Sendable {
    var idToken: Secret<String>
    var deviceSecret: Secret<String>
}
