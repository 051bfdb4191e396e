import Basics

/// `logoutack`: the receipt of a `logout`. What it is about stands in the command that it answers.
package struct LogoutAcknowledgement: Sendable, Hashable {
    /// What came of it.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        /// The login has ended, and the provider knows.
        case loggedOut = "logged_out"
        /// There is no such login: it ended before, or never was.
        case notLoggedIn = "not_logged_in"
        /// The login has ended here, and the provider could not be told yet.
        case notRevoked = "not_revoked"
    }

    /// What came of it (`outcome`).
    package var outcome: Outcome

    package init(_ outcome: Outcome) { self.outcome = outcome }

    init(_ reader: inout FieldReader) throws(Fault) {
        guard let outcome = Outcome(rawValue: try reader.text("outcome")) else {
            throw Fault(.commandMeaning, detail: "outcome is not on the list")
        }
        self.outcome = outcome
    }

    var fields: [String: JSONValue] { ["outcome": .string(outcome.rawValue)] }
}
