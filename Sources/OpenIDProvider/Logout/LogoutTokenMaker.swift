import Basics
import OpenIDConnect

/// Makes the provider's logout tokens (OpenID Connect Back-Channel Logout §2.4), one for each client: signed as the
/// client's ID tokens are.
struct LogoutTokenMaker: Sendable {
    let context: ProviderContext

    /// Says to one client that somebody's session has ended, or without `sessionID` that all of theirs have.
    ///
    /// - Throws: `unfit-provider-keys` for a client whose algorithm the provider does not sign with.
    func token(
        for client: RegisteredClient, subject: Subject, sessionID: String?, lifetime: Duration
    ) throws -> String {
        guard let key = context.keys.signing(client.idTokenAlgorithm) else { throw Fault(.unfitProviderKeys) }
        return try LogoutToken.signed(
            issuer: context.issuer, audience: client.id, subject: subject, sessionID: sessionID,
            id: context.randomText(bytes: 16), now: context.now, lifetime: lifetime, key: key)
    }
}
