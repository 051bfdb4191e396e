package import Basics

/// One line of an app's log.
package struct JournalEntry: Sendable {
    /// What an entry is about.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// A URL command left this app.
        case sent
        /// A URL command was accepted.
        case received
        /// A URL command was refused; `code` says by which rule.
        case refused
        /// An HTTP request that this app made.
        case http
        /// An HTTP request that this app answered.
        case served
        /// Something the role decided.
        case decided
        /// A life-cycle note or a fault.
        case note
    }

    package var kind: Kind
    /// The flow it belongs to, where one is known: for certain, but for requests that were answered, which name it.
    package var flow: String?
    /// One line for people: no secret, no text from an unverified message.
    package var message: String
    /// The error code of a refusal or fault.
    package var code: String?
    /// More, with sorted names when written; values are masked by whoever records them.
    package var fields: [String: JSONValue]

    package init(
        _ kind: Kind, flow: String? = nil, _ message: String, code: ErrorCode? = nil, fields: [String: JSONValue] = [:]
    ) {
        self.kind = kind
        self.flow = flow
        self.message = message
        self.code = code?.name
        self.fields = fields
    }
}

/// Keeps an app's log, in order.
package protocol Journal: Sendable {
    /// Records one entry; never blocks and never fails to the caller.
    func record(_ entry: JournalEntry)
}
