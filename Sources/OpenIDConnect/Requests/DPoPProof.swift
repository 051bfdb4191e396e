package import Basics
package import JOSE

/// The proof that a request comes from the owner of a key (RFC 9449 §4), after it was checked.
package struct DPoPProof: Sendable, Hashable {
    /// How old a proof may be.
    package static let longestAge: Duration = .seconds(60)

    /// The key that was proved: the `jkt` of what is bound to it.
    package let thumbprint: KeyThumbprint
    /// `jti`: a server takes it once.
    package let id: String
    /// `iat`.
    package let issuedAt: Timestamp
    /// `nonce`, where the server had asked for one (RFC 9449 §8).
    package let nonce: String?

    /// Makes the proof for one request.
    ///
    /// - Parameters:
    ///   - url: The address of the request; its query and fragment are left out.
    ///   - accessToken: The token that goes with the request, where one does.
    /// - Throws: `cryptography-failed`.
    package static func signed(
        method: String, url: String, accessToken: String?, nonce: String?, id: String, now: Timestamp, key: SigningKey
    ) throws(Fault) -> String {
        var claims: [String: JSONValue] = [
            "htm": .string(method), "htu": .string(target(url)), "jti": .string(id), "iat": .integer(now.seconds),
        ]
        claims["ath"] = accessToken.map { .string(hash($0)) }
        claims["nonce"] = nonce.map(JSONValue.string)
        let publicKey = key.verificationKey.jwk.with(use: nil, algorithm: nil, keyID: nil)
        return try JWS.sign(
            JSONValue.object(claims).serialized(),
            header: ["typ": .string(TokenUse.dpopProof), "jwk": publicKey.json], by: key)
    }

    /// Checks the proof of a request (RFC 9449 §4.3).
    ///
    /// That its `jti` comes once, and that the key is the one expected, is the caller's to see.
    ///
    /// - Parameters:
    ///   - url: The address as the client knows it; its query and fragment are left out. `htu` must equal the rest.
    ///   - accessToken: The token that came with the request, where one did; the proof must name it.
    /// - Throws: `malformed-token`, `unexpected-token-type`, `dpop-key`, `exposed-private-key`, `bad-signature`,
    ///   `invalid-claims`, `dpop-method`, `dpop-url`, `token-not-fresh`, `dpop-access-token`, `missing-token-id`.
    package static func verified(
        _ compact: String, method: String, url: String, accessToken: String?, now: Timestamp,
        skew: Duration = .seconds(30)
    ) throws(Fault) -> DPoPProof {
        let token = try UnverifiedJWS(compact: compact)
        try token.requireType(TokenUse.dpopProof)
        let key = try key(in: token)
        let claims = try JWTClaims(try token.verified(by: key))
        guard claims["htm"] == .string(method) else { throw Fault(.dpopMethod) }
        guard claims["htu"] == .string(target(url)) else { throw Fault(.dpopURL) }
        try claims.requireIssued(at: now, within: longestAge, skew: skew)
        if let accessToken {
            guard let stated = claims["ath"]?.stringValue, constantTimeEqual(stated, hash(accessToken)) else {
                throw Fault(.dpopAccessToken)
            }
        }
        let id = try claims.requireID()
        guard let issuedAt = claims.issuedAt else { throw Fault(.tokenNotFresh) }
        return DPoPProof(
            thumbprint: key.thumbprint, id: id, issuedAt: issuedAt, nonce: claims["nonce"]?.stringValue)
    }

    /// The key that the proof brings.
    ///
    /// It is believed as nobody's: only its thumbprint goes on.
    private static func key(in token: UnverifiedJWS) throws(Fault) -> VerificationKey {
        guard let algorithm = SignatureAlgorithm(rawValue: token.algorithmName), let value = token.header["jwk"] else {
            throw Fault(.dpopKey)
        }
        do throws(Fault) {
            return try VerificationKey(try JWK(value), algorithm: algorithm)
        } catch {
            throw error.code == .exposedPrivateKey ? error : Fault(.dpopKey, detail: error.code.name)
        }
    }

    /// The address without query and fragment (`htu`, RFC 9449 §4.2).
    private static func target(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    /// `ath` (RFC 9449 §4.2).
    private static func hash(_ accessToken: String) -> String {
        Base64URL.encode(Digest.sha256(Array(accessToken.utf8)))
    }
}
