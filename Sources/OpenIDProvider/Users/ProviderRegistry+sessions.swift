package import OpenIDConnect
package import Platform

/// What is signed in, and what was allowed.
extension ProviderRegistry {
    /// All sessions, sorted by id.
    package static func sessions(in records: borrowing some RecordReading & ~Copyable) throws -> [ProviderSession] {
        try ProviderTables.sessions.list(in: records).map(\.value)
    }

    /// Ends a session and every grant that came from it; says whether there was one.
    @discardableResult
    package static func endSession(_ id: String, in transaction: borrowing Transaction) throws -> Bool {
        try endGrants(in: transaction) { $0.sessionID == id }
        return try ProviderTables.sessions.remove(id, in: transaction)
    }

    /// What a user allowed, or all that was allowed, in a fixed order.
    package static func consents(
        of subject: Subject? = nil, in records: borrowing some RecordReading & ~Copyable
    ) throws -> [ConsentRecord] {
        try ProviderTables.consents.list(family: subject?.text, in: records).map(\.value)
    }

    /// Takes back what a user allowed a client, and ends the grants that rested on it; says whether there was any. A
    /// broker must ask the person anew before its next code for that client.
    @discardableResult
    package static func withdrawConsent(
        of subject: Subject, to client: ClientID, in transaction: borrowing Transaction
    ) throws -> Bool {
        let found = try ConsentRecord.withdraw(subject, client, in: transaction)
        try endGrants(in: transaction) { $0.clientID == client && $0.subject == subject }
        return found
    }

    /// Ends every session of a subject and every grant that came from one.
    package static func endEverything(of subject: Subject, in transaction: borrowing Transaction) throws {
        try endSessions(of: subject, in: transaction)
        try endGrants(in: transaction) { $0.subject == subject }
    }

    /// Ends those sessions of a subject, and the grants that came from them, whether the sessions still live or not.
    package static func endSessions(
        _ ids: Set<String>, of subject: Subject, in transaction: borrowing Transaction
    ) throws {
        for id in ids.sorted() where try ProviderTables.sessions.find(id, in: transaction)?.subject == subject {
            try ProviderTables.sessions.remove(id, in: transaction)
        }
        try endGrants(in: transaction) { $0.subject == subject && ids.contains($0.sessionID) }
    }

    static func endSessions(of subject: Subject, in transaction: borrowing Transaction) throws {
        for (key, session) in try ProviderTables.sessions.list(in: transaction) where session.subject == subject {
            try ProviderTables.sessions.remove(key, in: transaction)
        }
    }

    static func endGrants(
        in transaction: borrowing Transaction, where matches: (GrantFamily) -> Bool
    ) throws {
        for (key, family) in try ProviderTables.families.list(in: transaction) where matches(family) {
            try GrantFamily.revoke(key, in: transaction)
        }
    }
}
