import Basics
import JOSE
import OpenIDConnect
import Platform

/// What a code, and every token that comes from it, is about.
struct GrantFacts: Codable, Sendable {
    /// The family: everything that came from one code lives and dies together.
    var family: String
    var clientID: ClientID
    var subject: Subject
    /// `sid`.
    var sessionID: String
    var scope: ScopeSet
    /// `auth_time`.
    var authenticatedAt: Timestamp
    /// The key without which the credential is worth nothing; nothing for a bearer credential.
    var keyThumbprint: KeyThumbprint?
    /// `nonce`, for the first ID token.
    var nonce: Nonce?
}

/// A code or a refresh token as it is stored, under the hash of its text.
struct CredentialRecord: Codable, Sendable {
    var facts: GrantFacts
    /// The row's condition: a hash of what a taker must state.
    ///
    /// Kept in the value too, so that a miss is known without signing anything; the statement that takes the row
    /// compares it again.
    var binding: String
    var expires: Timestamp
}

/// A family that is alive.
///
/// Without this row its tokens are worth nothing, whatever they say.
struct GrantFamily: Codable, Sendable {
    var clientID: ClientID
    var subject: Subject
    var sessionID: String
    var expires: Timestamp

    func isAlive(at now: Timestamp) -> Bool { now < expires }

    /// Ends a family: refresh tokens, answers that wait, and access tokens with the row itself.
    static func revoke(_ id: String, in transaction: borrowing Transaction) throws {
        try ProviderTables.families.remove(id, in: transaction)
        try ProviderTables.refreshTokens.removeFamily(id, in: transaction)
        try ProviderTables.answers.remove(id, in: transaction)
    }
}

/// What stays of a credential that was taken, until it would have expired: enough to know a replay.
struct Tombstone: Codable, Sendable {
    var family: String
    var clientID: ClientID
    var keyThumbprint: KeyThumbprint?
    var expires: Timestamp
}
