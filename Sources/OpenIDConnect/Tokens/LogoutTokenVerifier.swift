package import Basics
import JOSE

/// The rules by which a client believes a logout token (OpenID Connect Back-Channel Logout §2.6), in their order.
///
/// That a token counts once is the caller's to keep: its `id` until its `expires`.
package struct LogoutTokenVerifier: Sendable {
    /// Whose tokens count, and for whom.
    package var trusted: TrustedIssuer

    package init(_ trusted: TrustedIssuer) { self.trusted = trusted }

    /// Checks a token.
    ///
    /// - Throws: `malformed-token`, `unexpected-token-type`, `id-token-algorithm`, `unknown-token-key` (fetch the keys
    ///   again and try once more), `unfit-key`, `bad-signature`, `invalid-claims`, `wrong-issuer`, `wrong-audience`,
    ///   `token-not-fresh`, `token-expired`, `invalid-subject`, `logout-token-event`, `logout-token-nonce`,
    ///   `logout-token-account`, `missing-token-id`.
    package func verify(_ compact: String, now: Timestamp) throws(Fault) -> LogoutToken {
        let token = try UnverifiedJWS(compact: compact)
        try token.requireType(LogoutToken.type)
        let claims = try trusted.claims(of: token)
        try claims.requireAudience(trusted.clientID.text, alone: false)
        guard let issuedAt = claims.issuedAt, issuedAt - trusted.skew <= now else { throw Fault(.tokenNotFresh) }
        try claims.requireUnexpired(at: now, skew: trusted.skew)
        try requireEvent(claims)
        // An ID token has one, so that neither passes for the other even where a `typ` is not looked at.
        guard claims["nonce"] == nil else { throw Fault(.logoutTokenNonce) }
        let (subject, sessionID) = try account(claims)
        guard let expires = claims.expiration else { throw Fault(.tokenExpired) }
        return LogoutToken(
            issuer: trusted.issuer, subject: subject, sessionID: sessionID, id: try claims.requireID(),
            issuedAt: issuedAt, expires: expires)
    }

    private func requireEvent(_ claims: JWTClaims) throws(Fault) {
        guard claims["events"]?[LogoutToken.event]?.objectValue != nil else { throw Fault(.logoutTokenEvent) }
    }

    /// Whose session, and which: at least one of the two is said.
    private func account(_ claims: JWTClaims) throws(Fault) -> (Subject?, String?) {
        let subject: Subject? = if let text = claims.subject { try Subject(text) } else { nil }
        let sessionID = claims["sid"]?.stringValue
        guard claims["sid"] == nil || sessionID?.isEmpty == false, subject != nil || sessionID != nil else {
            throw Fault(.logoutTokenAccount)
        }
        return (subject, sessionID)
    }
}
