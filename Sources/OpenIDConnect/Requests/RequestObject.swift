package import Basics
package import JOSE

/// An authorization request signed by its client (RFC 9101), as `request` carries it.
package struct RequestObject: Sendable, Hashable {
    /// How long an object may live, from `iat` to `exp`.
    package static let longestLife: Duration = .seconds(300)

    package var request: AuthorizationRequest
    /// `aud`: the one issuer that it is for.
    package var audience: Issuer
    /// `jti`: a server takes it once.
    package var id: String
    /// `iat`.
    package var issuedAt: Timestamp
    /// `exp`, at most five minutes later.
    package var expires: Timestamp

    package init(
        request: AuthorizationRequest, audience: Issuer, id: String, issuedAt: Timestamp, expires: Timestamp
    ) {
        self.request = request
        self.audience = audience
        self.id = id
        self.issuedAt = issuedAt
        self.expires = expires
    }

    /// The compact token.
    ///
    /// `iss` is the client; there is no `sub`, so that it is no client assertion (RFC 9101 §10.8).
    ///
    /// - Throws: `cryptography-failed`.
    package func signed(by key: SigningKey) throws(Fault) -> String {
        var claims: [String: JSONValue] = [:]
        for (name, value) in request.fields { claims[name] = .string(value) }
        claims["max_age"] = request.maxAge.map { .integer(Int64($0)) }
        claims["iss"] = .string(request.clientID.text)
        claims["aud"] = .string(audience.text)
        claims["jti"] = .string(id)
        claims["iat"] = .integer(issuedAt.seconds)
        claims["nbf"] = .integer(issuedAt.seconds)
        claims["exp"] = .integer(expires.seconds)
        return try JWS.sign(
            JSONValue.object(claims).serialized(),
            header: ["typ": .string(TokenUse.requestObject), "kid": .string(key.keyID)], by: key)
    }
}
