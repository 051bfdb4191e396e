package import Basics
package import JOSE

/// A request object that nobody has checked: it says whose key to look up, and nothing else that may be believed.
package struct UnverifiedRequestObject: Sendable {
    private let token: UnverifiedJWS

    /// - Throws: `malformed-token`, `token-too-large`, `unsupported-header`.
    package init(compact: String) throws(Fault) { token = try UnverifiedJWS(compact: compact) }

    /// The client that it names: a hint for finding the key.
    package var unverifiedClientID: ClientID? {
        guard let claims = try? JWTClaims(token.unverifiedPayload), let text = claims["client_id"]?.stringValue else {
            return nil
        }
        return try? ClientID(text)
    }

    /// `kid`: a hint for finding the key.
    package var keyID: String? { token.keyID }

    /// The request, where that client signed it for that issuer and it still lives.
    ///
    /// That its `jti` comes once is the caller's to see.
    ///
    /// - Throws: `unexpected-token-type`, `algorithm-not-pinned`, `bad-signature`, `invalid-claims`, `wrong-issuer`,
    ///   `request-object-client`, `wrong-audience`, `token-not-fresh`, `token-expired`, `token-not-yet-valid`,
    ///   `lifetime-too-long`, `missing-token-id`, `request-object-parameters`.
    package func verified(
        by key: VerificationKey, clientID: ClientID, audience: Issuer, now: Timestamp, skew: Duration = .seconds(30)
    ) throws(Fault) -> RequestObject {
        try token.requireType(TokenUse.requestObject)
        let claims = try JWTClaims(try token.verified(by: key))
        try claims.requireIssuer(clientID.text)
        guard claims["client_id"] == .string(clientID.text) else { throw Fault(.requestObjectClient) }
        try claims.requireAudience(audience.text, alone: true)
        try claims.requireIssued(at: now, within: RequestObject.longestLife, skew: skew)
        try claims.requireUnexpired(at: now, skew: skew)
        try claims.requireStarted(at: now, skew: skew)
        try claims.requireLifetime(atMost: RequestObject.longestLife)
        guard let issuedAt = claims.issuedAt, let expires = claims.expiration else { throw Fault(.lifetimeTooLong) }
        return RequestObject(
            request: try UnverifiedRequestObject.request(in: claims), audience: audience, id: try claims.requireID(),
            issuedAt: issuedAt, expires: expires)
    }

    /// The parameters, by the rules of the query.
    ///
    /// Strings only, and the number of `max_age`: nothing else has a form there.
    private static func request(in claims: JWTClaims) throws(Fault) -> AuthorizationRequest {
        guard claims["sub"] == nil else {
            throw Fault(.requestObjectParameters, "A request object has no sub (RFC 9101 §10.8).")
        }
        var fields: [(String, String)] = []
        for (name, value) in claims.members.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .string(let text): fields.append((name, text))
            case .integer(let number) where name == "max_age": fields.append((name, String(number)))
            default: if parameters.contains(name) { throw Fault(.requestObjectParameters, detail: name) }
            }
        }
        do throws(OAuthError) {
            return try AuthorizationRequest.parse(fields)
        } catch {
            throw Fault(.requestObjectParameters, error.description, detail: error.detail, underlying: error)
        }
    }

    private static let parameters: Set<String> = [
        "response_type", "redirect_uri", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
        "dpop_jkt", "prompt", "max_age", "acr_values", "login_hint", "response_mode", "request", "request_uri",
    ]
}
