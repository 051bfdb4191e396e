package import Basics
import JOSE

/// The rules by which a client believes an ID token (OpenID Connect Core §3.1.3.7), in their order.
package struct IDTokenVerifier: Sendable {
    /// Whose tokens count, and for whom.
    package var trusted: TrustedIssuer

    package init(_ trusted: TrustedIssuer) { self.trusted = trusted }

    /// Checks a token.
    ///
    /// - Parameters:
    ///   - nonce: The nonce that was sent; the token must have it. Nil where none was sent.
    ///   - maxAge: The `max_age` that was sent, in seconds.
    ///   - requestedAt: When it was sent; nil for now.
    ///   - accessToken: The access token of the same answer; `at_hash` must fit it where it is there.
    ///   - code: The code that was redeemed; `c_hash` must fit it where it is there.
    ///   - allowingExpired: For a hint, whose `exp` may have passed. `exp` is still required.
    /// - Throws: `malformed-token`, `unexpected-token-type`, `id-token-algorithm`, `unknown-token-key` (fetch the keys
    ///   again and try once more), `unfit-key`, `bad-signature`, `invalid-claims`, `wrong-issuer`, `invalid-subject`,
    ///   `wrong-audience`, `id-token-authorized-party`, `token-expired`, `token-not-yet-valid`, `token-not-fresh`,
    ///   `id-token-nonce`, `id-token-auth-time`, `id-token-access-token-hash`, `id-token-code-hash`.
    package func verify(
        _ compact: String, nonce: Nonce?, maxAge: Int?, requestedAt: Timestamp?, accessToken: String?, code: String?,
        now: Timestamp, allowingExpired: Bool = false
    ) throws(Fault) -> IDToken {
        let token = try UnverifiedJWS(compact: compact)
        try token.requireGeneralType()
        let claims = try trusted.claims(of: token)
        let subject = try Subject(claims.subject ?? "")
        try requireAudience(claims)
        try requireTime(claims, now: now, allowingExpired: allowingExpired)
        try requireNonce(claims, nonce)
        try requireAuthTime(claims, maxAge: maxAge, requestedAt: requestedAt ?? now, now: now)
        try requireHash(claims, "at_hash", of: accessToken, else: .idTokenAccessTokenHash)
        try requireHash(claims, "c_hash", of: code, else: .idTokenCodeHash)
        return IDToken(claims: claims, issuer: trusted.issuer, subject: subject, compact: compact)
    }

    private func requireAudience(_ claims: JWTClaims) throws(Fault) {
        try claims.requireAudience(trusted.clientID.text, alone: false)
        // Among several audiences, azp says whom the token was given to; without it any of them could pass it on.
        guard claims["azp"] != nil || claims.audience.count > 1 else { return }
        guard claims["azp"] == .string(trusted.clientID.text) else { throw Fault(.idTokenAuthorizedParty) }
    }

    private func requireTime(_ claims: JWTClaims, now: Timestamp, allowingExpired: Bool) throws(Fault) {
        guard claims.expiration != nil else { throw Fault(.tokenExpired) }
        if !allowingExpired { try claims.requireUnexpired(at: now, skew: trusted.skew) }
        try claims.requireStarted(at: now, skew: trusted.skew)
        guard let issuedAt = claims.issuedAt, issuedAt - trusted.skew <= now else {
            throw Fault(.tokenNotFresh, "The ID token's iat is missing or in the future (OpenID Connect Core §2).")
        }
    }

    private func requireNonce(_ claims: JWTClaims, _ nonce: Nonce?) throws(Fault) {
        guard let nonce else { return }
        guard let stated = claims["nonce"]?.stringValue, constantTimeEqual(stated, nonce.text) else {
            throw Fault(.idTokenNonce)
        }
    }

    private func requireAuthTime(
        _ claims: JWTClaims, maxAge: Int?, requestedAt: Timestamp, now: Timestamp
    ) throws(Fault) {
        guard let maxAge else { return }
        guard let authTime = claims.timestamp("auth_time"), authTime - trusted.skew <= now,
            authTime + .seconds(min(maxAge, 1_000_000_000)) + trusted.skew >= requestedAt
        else { throw Fault(.idTokenAuthTime) }
    }

    /// SHA-256 for every algorithm: EdDSA has no agreed hash here, so a token of it with another one is refused.
    private func requireHash(
        _ claims: JWTClaims, _ name: String, of text: String?, else code: ErrorCode
    ) throws(Fault) {
        guard let text, let stated = claims[name] else { return }
        guard let hash = stated.stringValue, constantTimeEqual(hash, TokenHash.leftHalf(text)) else {
            throw Fault(code)
        }
    }
}
