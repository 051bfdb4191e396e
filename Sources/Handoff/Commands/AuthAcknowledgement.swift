import Basics

/// `authack`: the client's final outcome. Success never depends on its delivery.
package struct AuthAcknowledgement: Sendable, Hashable {
    /// How it ended at the client.
    package enum Outcome: String, Sendable, Codable, CaseIterable {
        /// An account was logged in.
        case loggedIn = "logged_in"
        /// The client changed to an account it already had; a code that came along was deleted.
        case switched
        /// The login failed at the client.
        case failed
    }

    /// How it ended (`outcome`).
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
