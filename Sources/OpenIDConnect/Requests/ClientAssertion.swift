package import Basics
package import JOSE

/// How a client proves itself with its key: `private_key_jwt` (RFC 7523 §2.2, OpenID Connect Core §9).
package enum ClientAssertion {
    /// The value of `client_assertion_type`.
    package static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// How far `exp` may lie ahead.
    package static let longestLife: Duration = .seconds(300)

    /// Makes an assertion that lives a minute.
    ///
    /// Its audience is the issuer and nothing else: a token endpoint's address could be another server's to name.
    ///
    /// - Throws: `cryptography-failed`.
    package static func signed(
        clientID: ClientID, audience: Issuer, id: String, now: Timestamp, key: SigningKey
    ) throws(Fault) -> String {
        let claims: JSONValue = [
            "iss": .string(clientID.text), "sub": .string(clientID.text), "aud": .string(audience.text),
            "jti": .string(id), "iat": .integer(now.seconds), "exp": .integer(now.seconds + 60),
        ]
        let header: [String: JSONValue] = ["typ": .string(TokenUse.clientAssertion), "kid": .string(key.keyID)]
        return try JWS.sign(claims.serialized(), header: header, by: key)
    }

    /// Checks an assertion, and gives what the caller keeps to see that it comes once.
    ///
    /// - Throws: `unexpected-token-type` for a token of another use, so a command, a request object or a proof is never
    ///   an assertion; `malformed-token`, `algorithm-not-pinned`, `bad-signature`, `invalid-claims`,
    ///   `client-assertion-subject`, `wrong-audience`, `token-expired`, `token-not-yet-valid`, `token-not-fresh`,
    ///   `lifetime-too-long`, `missing-token-id`.
    package static func verified(
        _ compact: String, clientID: ClientID, key: VerificationKey, audience: Issuer, now: Timestamp,
        skew: Duration = .seconds(30)
    ) throws(Fault) -> (id: String, expires: Timestamp) {
        let token = try UnverifiedJWS(compact: compact)
        try token.requireGeneralType(or: TokenUse.clientAssertion)
        let claims = try JWTClaims(try token.verified(by: key))
        guard claims.issuer == clientID.text, claims.subject == clientID.text else {
            throw Fault(.clientAssertionSubject)
        }
        try claims.requireAudience(audience.text, alone: true)
        try claims.requireUnexpired(at: now, skew: skew)
        try claims.requireStarted(at: now, skew: skew)
        // RFC 7523 §3 leaves iat to the client, so the life left is what is limited; an iat that is there is checked.
        if claims["iat"] != nil {
            try claims.requireIssued(at: now, within: longestLife, skew: skew)
            try claims.requireLifetime(atMost: longestLife)
        }
        guard let expires = claims.expiration, expires <= now + longestLife + skew else {
            throw Fault(.lifetimeTooLong, "The client assertion's exp is more than five minutes ahead.")
        }
        return (try claims.requireID(), expires)
    }

    /// The client that an assertion names: a hint for finding the key.
    ///
    /// - Throws: `malformed-token`, `token-too-large`, `unsupported-header`, `invalid-claims`,
    ///   `client-assertion-subject`, `invalid-client-id`.
    package static func unverifiedClientID(_ compact: String) throws(Fault) -> ClientID {
        let claims = try JWTClaims(try UnverifiedJWS(compact: compact).unverifiedPayload)
        guard let subject = claims.subject else { throw Fault(.clientAssertionSubject) }
        return try ClientID(subject)
    }
}
