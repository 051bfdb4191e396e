package import Basics
import FoundationEssentials
import JOSE
package import Platform

/// The accounts of one app in its records. All verbs work inside the caller's transaction, so that an account and
/// what led to it are one commit.
package struct AccountStore: Sendable {
    private static let accounts = Table<AccountRecord>("account")
    private static let current = Table<String>("current-account")
    private let sealer: RecordSealer

    package init(sealer: RecordSealer) { self.sealer = sealer }

    /// Stores an account with its tokens and makes it current.
    package func logIn(
        _ account: UserAccount, tokens: TokenSet, identityProvider: String?, in transaction: borrowing Transaction
    ) throws {
        let record = AccountRecord(
            issuer: account.issuer, subject: account.subject, username: account.username,
            displayName: account.displayName, email: account.email, scopes: account.scopes,
            loggedInAt: account.loggedInAt, identityProvider: identityProvider,
            sealedTokens: try sealed(tokens, account.key))
        try Self.accounts.put(account.key, record, in: transaction)
        try Self.current.put("current", account.key, in: transaction)
    }

    /// Replaces an account's tokens; an account that has gone meanwhile stays gone.
    package func replaceTokens(
        of key: String, by tokens: TokenSet?, in transaction: borrowing Transaction
    ) throws {
        guard var record = try Self.accounts.find(key, in: transaction) else { return }
        record.sealedTokens = try tokens.map { try sealed($0, key) }
        try Self.accounts.put(key, record, in: transaction)
    }

    /// Every account, sorted by issuer and subject.
    package func list(in records: borrowing some RecordReading & ~Copyable) throws -> [UserAccount] {
        try Self.accounts.list(in: records).map(\.value.account)
    }

    /// The account of that key.
    package func find(_ key: String, in records: borrowing some RecordReading & ~Copyable) throws -> UserAccount? {
        try Self.accounts.find(key, in: records)?.account
    }

    /// The current account, if one is set and still there.
    package func current(in records: borrowing some RecordReading & ~Copyable) throws -> UserAccount? {
        guard let key = try Self.current.find("current", in: records) else { return nil }
        return try find(key, in: records)
    }

    /// The tokens of an account; `nil` when its session has ended.
    package func tokens(
        of key: String, in records: borrowing some RecordReading & ~Copyable
    ) throws -> TokenSet? {
        guard let record = try Self.accounts.find(key, in: records), let sealed = record.sealedTokens else {
            return nil
        }
        let text = try sealer.open(sealed, purpose: AccountRecord.purpose(key))
        return try JSONDecoder().decode(TokenSet.self, from: Data(text.unmasked.utf8))
    }

    /// Makes an account current. Throws `unknown-account` when it is not there.
    package func makeCurrent(_ key: String, in transaction: borrowing Transaction) throws {
        guard try Self.accounts.find(key, in: transaction) != nil else { throw Fault(.unknownAccount) }
        try Self.current.put("current", key, in: transaction)
    }

    /// Removes an account; when it was current, no account is current afterwards.
    package func remove(_ key: String, in transaction: borrowing Transaction) throws {
        try Self.accounts.remove(key, in: transaction)
        if try Self.current.find("current", in: transaction) == key {
            try Self.current.remove("current", in: transaction)
        }
    }

    /// Ends an account: it is removed, and what its tokens are is owed to the provider until that has revoked them.
    package func end(_ key: String, now: Timestamp, in transaction: borrowing Transaction) throws {
        if let account = try find(key, in: transaction), let tokens = try tokens(of: key, in: transaction) {
            let token = tokens.refreshToken ?? tokens.accessToken
            let id = Base64URL.encode(Digest.sha256(Array(token.unmasked.utf8)))
            let debt = RevocationDebt(
                issuer: account.issuer, account: key,
                sealedToken: try sealer.seal(token, purpose: RevocationDebt.purpose(id)))
            try RevocationDebt.table.put(id, debt, expires: now + RevocationDebt.life, in: transaction)
        }
        try remove(key, in: transaction)
    }

    /// The token that is owed.
    func token(of debt: RevocationDebt, id: String) throws -> Secret<String> {
        try sealer.open(debt.sealedToken, purpose: RevocationDebt.purpose(id))
    }

    /// The identity provider apps that accounts were handed over by.
    func identityProviders(in records: borrowing some RecordReading & ~Copyable) throws -> Set<String> {
        Set(try Self.accounts.list(in: records).compactMap(\.value.identityProvider))
    }

    /// The identity provider app that an account was handed over by.
    func identityProvider(
        of key: String, in records: borrowing some RecordReading & ~Copyable
    ) throws -> String? {
        try Self.accounts.find(key, in: records)?.identityProvider
    }

    private func sealed(_ tokens: TokenSet, _ key: String) throws -> String {
        let text = String(decoding: try JSONEncoder().encode(tokens), as: UTF8.self)
        return try sealer.seal(Secret(text), purpose: AccountRecord.purpose(key))
    }
}
