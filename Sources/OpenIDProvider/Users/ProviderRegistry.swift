package import Basics
package import JOSE
package import OpenIDConnect
package import Platform

/// The registry's rows as functions over a transaction that is scoped to the provider: set-up writes them in one
/// commit with other roles' rows, whether the provider runs or not.
package enum ProviderRegistry {
    /// Writes a client, whether there was one or not.
    ///
    /// Grants of a client whose key changed end, except where the key before is among its former ones.
    ///
    /// - Throws: `invalid-client-registration`, with the rule that is not kept.
    package static func put(client: RegisteredClient, in transaction: borrowing Transaction) throws {
        try RegistrationRule.check(client)
        let before = try ProviderTables.clients.find(client.id.text, in: transaction)
        if let before,
            before.authentication != client.authentication || before.requestObjectKey != client.requestObjectKey,
            !(client.formerKeys ?? []).contains(where: { $0.key == before.requestObjectKey })
        {
            try endGrants(in: transaction) { $0.clientID == client.id }
            try endCodes(in: transaction) { $0.clientID == client.id }
        }
        try ProviderTables.clients.put(client.id.text, client, in: transaction)
    }

    /// Ends a client's former key now, before its end, with the grants that are bound to it.
    package static func revoke(
        key: KeyThumbprint, of id: ClientID, now: Timestamp, in transaction: borrowing Transaction
    ) throws {
        guard let client = try client(id, in: transaction), let former = client.formerKeys,
            former.contains(where: { $0.key.thumbprint == key })
        else { return }
        try put(client: client.revoking(key, now: now), in: transaction)
        let bound = try ProviderTables.refreshTokens.list(in: transaction).map(\.value.facts)
            .filter { $0.clientID == id && $0.keyThumbprint == key }
        for facts in bound { try GrantFamily.revoke(facts.family, in: transaction) }
        try endCodes(in: transaction) { $0.clientID == id && $0.keyThumbprint == key }
    }

    /// Takes codes away that nobody has redeemed yet.
    private static func endCodes(
        in transaction: borrowing Transaction, where matches: (GrantFacts) -> Bool
    ) throws {
        for (key, code) in try ProviderTables.codes.list(in: transaction) where matches(code.facts) {
            try ProviderTables.codes.remove(key, in: transaction)
        }
    }

    /// Removes a client with its grants; says whether there was one.
    @discardableResult
    package static func remove(client id: ClientID, in transaction: borrowing Transaction) throws -> Bool {
        try endGrants(in: transaction) { $0.clientID == id }
        return try ProviderTables.clients.remove(id.text, in: transaction)
    }

    /// All clients, sorted by id.
    package static func clients(in records: borrowing some RecordReading & ~Copyable) throws -> [RegisteredClient] {
        try ProviderTables.clients.list(in: records).map(\.value)
    }

    /// The client of that id.
    package static func client(
        _ id: ClientID, in records: borrowing some RecordReading & ~Copyable
    ) throws -> RegisteredClient? {
        try ProviderTables.clients.find(id.text, in: records)
    }

    /// Writes a user.
    ///
    /// One that is there already keeps the subject; a changed password ends the sessions.
    ///
    /// - Parameter subject: who a new user is to clients; random.
    /// - Throws: `invalid-user-name`.
    @discardableResult
    package static func putUser(
        _ username: String, password: PasswordHash, claims: [String: JSONValue] = [:], subject: Subject, now: Timestamp,
        in transaction: borrowing Transaction
    ) throws -> RegisteredUser {
        let isPlain = username.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && scalar.properties.generalCategory != .format
        }
        guard (1...128).contains(username.utf8.count), isPlain else { throw Fault(.invalidUserName) }
        let before = try ProviderTables.users.find(username, in: transaction)
        let user = RegisteredUser(
            subject: before?.subject ?? subject, username: username, passwordHash: password.text, claims: claims,
            createdAt: before?.createdAt ?? now)
        if let before, before.passwordHash != user.passwordHash { try endSessions(of: before.subject, in: transaction) }
        try ProviderTables.users.put(username, user, in: transaction)
        try ProviderTables.subjects.put(user.subject.text, username, in: transaction)
        return user
    }

    /// Removes a user with sessions and grants; says whether there was one.
    @discardableResult
    package static func removeUser(_ username: String, in transaction: borrowing Transaction) throws -> Bool {
        guard let user = try ProviderTables.users.find(username, in: transaction) else { return false }
        try endSessions(of: user.subject, in: transaction)
        try endGrants(in: transaction) { $0.subject == user.subject }
        try ProviderTables.consents.removeFamily(user.subject.text, in: transaction)
        try ProviderTables.withdrawals.removeFamily(user.subject.text, in: transaction)
        try ProviderTables.subjects.remove(user.subject.text, in: transaction)
        return try ProviderTables.users.remove(username, in: transaction)
    }

    /// All users, sorted by name.
    package static func users(in records: borrowing some RecordReading & ~Copyable) throws -> [RegisteredUser] {
        try ProviderTables.users.list(in: records).map(\.value)
    }

    /// The user of that name.
    package static func user(
        named username: String, in records: borrowing some RecordReading & ~Copyable
    ) throws -> RegisteredUser? {
        try ProviderTables.users.find(username, in: records)
    }

    /// The user of that subject.
    package static func user(
        _ subject: Subject, in records: borrowing some RecordReading & ~Copyable
    ) throws -> RegisteredUser? {
        guard let username = try ProviderTables.subjects.find(subject.text, in: records) else { return nil }
        return try ProviderTables.users.find(username, in: records)
    }
}
