import Basics
import IdentityClient
import Platform
import Testing

@Suite struct `The accounts of an app` {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let records = InMemoryRecordStore()
    private let accounts = AccountStore(sealer: RecordSealer(key: Secret([UInt8](repeating: 3, count: 32))))

    private func account(_ subject: String, issuer: String = "http://localhost:1", name: String = "alice")
        -> UserAccount
    {
        UserAccount(
            issuer: issuer, subject: subject, username: name, displayName: nil, email: nil, scopes: ["openid"],
            loggedInAt: now)
    }

    private var tokens: TokenSet {
        TokenSet(
            accessToken: Secret("access-secret"), tokenType: "DPoP", expires: now + .seconds(900),
            refreshToken: Secret("refresh-secret"), idToken: nil)
    }

    private func logIn(_ account: UserAccount) async throws {
        try await records.write(.full) { [accounts, tokens] transaction in
            try accounts.logIn(account, tokens: tokens, identityProvider: nil, in: transaction)
        }
    }

    @Test func `are known by issuer and subject, never by name`() async throws {
        let all = [account("s1"), account("s2"), account("s1", issuer: "http://localhost:2")]
        for account in all { try await logIn(account) }
        #expect(try records.read { try accounts.list(in: $0) }.count == 3)
        try await logIn(account("s1", name: "alice-renamed"))
        let list = try records.read { try accounts.list(in: $0) }
        #expect(list.count == 3)
        #expect(list.first?.username == "alice-renamed")
    }

    @Test func `become current when they log in; none is when the current one goes`() async throws {
        try await logIn(account("s1"))
        try await logIn(account("s2"))
        #expect(try records.read { try accounts.current(in: $0) }?.subject == "s2")
        let key = account("s2").key
        try await records.write(.full) { [accounts] in try accounts.remove(key, in: $0) }
        #expect(try records.read { try accounts.current(in: $0) } == nil)
        let first = account("s1").key
        try await records.write(.full) { [accounts] in try accounts.makeCurrent(first, in: $0) }
        #expect(try records.read { try accounts.current(in: $0) }?.subject == "s1")
        await #expect(throws: Fault(.unknownAccount)) {
            try await records.write(.full) { [accounts] in try accounts.makeCurrent(key, in: $0) }
        }
    }

    @Test func `keep their tokens sealed, each for its own account`() async throws {
        try await logIn(account("s1"))
        #expect(try records.read { try accounts.tokens(of: account("s1").key, in: $0) } == tokens)
        let rows = try records.read { try $0.list(RecordKind("account")) }
        let text = rows.map { String(decoding: $0.value, as: UTF8.self) }.joined()
        #expect(!text.contains("access-secret") && !text.contains("refresh-secret"))
        #expect(!text.contains("YWNjZXNz"))

        // A row that was copied to another account does not open there.
        try await logIn(account("s2"))
        let (one, other) = (account("s1").key, account("s2").key)
        try await records.write(.full) { transaction in
            guard var row = try transaction.find(RecordKind("account"), one) else { return }
            row.key = other
            try transaction.put(row)
        }
        #expect(throws: Fault.self) { try records.read { try accounts.tokens(of: other, in: $0) } }
    }

    @Test func `do not come back by a late refresh after they were removed`() async throws {
        try await logIn(account("s1"))
        let key = account("s1").key
        try await records.write(.full) { [accounts, tokens] transaction in
            try accounts.remove(key, in: transaction)
            try accounts.replaceTokens(of: key, by: tokens, in: transaction)
        }
        #expect(try records.read { try accounts.list(in: $0) }.isEmpty)
    }

    @Test func `without a session have no tokens, and are still there`() async throws {
        try await logIn(account("s1"))
        let key = account("s1").key
        try await records.write(.full) { [accounts] in try accounts.replaceTokens(of: key, by: nil, in: $0) }
        #expect(try records.read { try accounts.tokens(of: key, in: $0) } == nil)
        #expect(try records.read { try accounts.find(key, in: $0) } != nil)
    }
}
