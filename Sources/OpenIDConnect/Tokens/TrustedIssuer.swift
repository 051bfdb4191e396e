import Basics
package import JOSE

/// Whose tokens a client believes, as all of its token rules need it: one issuer, with its keys, and the client itself.
package struct TrustedIssuer: Sendable {
    /// The one issuer whose tokens count.
    package var issuer: Issuer
    /// The client itself.
    package var clientID: ClientID
    /// The algorithms registered for this client's tokens.
    ///
    /// A token chooses among them and no further.
    package var algorithms: [SignatureAlgorithm]
    /// The issuer's keys.
    package var keys: JWKSet
    /// How far the two clocks may be apart.
    package var skew: Duration

    package init(
        issuer: Issuer, clientID: ClientID, algorithms: [SignatureAlgorithm], keys: JWKSet,
        skew: Duration = .seconds(30)
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.algorithms = algorithms
        self.keys = keys
        self.skew = skew
    }

    /// The claims of a token that the issuer signed, and says so.
    ///
    /// - Throws: `id-token-algorithm`, `unknown-token-key` (fetch the keys again and try once more), `unfit-key`,
    ///   `bad-signature`, `invalid-claims`, `wrong-issuer`.
    func claims(of token: UnverifiedJWS) throws(Fault) -> JWTClaims {
        let claims = try JWTClaims(try token.verified(by: try keys.key(for: token, algorithms: algorithms)))
        try claims.requireIssuer(issuer.text)
        return claims
    }
}
