import Basics
import JOSE
import OpenIDConnect
import Platform

/// An access token of ours whose signature holds.
struct AccessToken: Sendable {
    /// `typ` (RFC 9068 §2.1).
    static let type = "at+jwt"

    let id: String
    let subject: Subject
    let clientID: ClientID
    let scope: ScopeSet
    let family: String
    /// `cnf.jkt`: the key it is bound to.
    let keyThumbprint: KeyThumbprint?
    private let claims: JWTClaims

    /// Reads a token that this provider signed.
    ///
    /// - Throws: `Fault` with the rule that does not hold.
    init(_ compact: String, _ context: ProviderContext) throws {
        let token = try UnverifiedJWS(compact: compact)
        guard token.type == AccessToken.type else { throw Fault(.unexpectedTokenType) }
        guard let keyID = token.keyID, let key = context.keys.verification(id: keyID) else {
            throw Fault(.unknownTokenKey)
        }
        claims = try JWTClaims(try token.verified(by: key))
        try claims.requireIssuer(context.issuer.text)
        try claims.requireAudience(context.issuer.text, alone: true)
        guard let id = claims.id, let subject = claims.subject, let client = claims["client_id"]?.stringValue,
            let scope = claims["scope"]?.stringValue, let family = claims["grant_id"]?.stringValue
        else { throw Fault(.invalidClaims) }
        self.id = id
        self.subject = try Subject(subject)
        self.clientID = try ClientID(client)
        self.scope = try ScopeSet(scope)
        self.family = family
        keyThumbprint = try claims["cnf"]?["jkt"]?.stringValue.map { try KeyThumbprint($0) }
    }

    /// The token has not expired.
    func requireUnexpired(at now: Timestamp) throws {
        try claims.requireUnexpired(at: now, skew: .zero)
    }
}

extension Refusal {
    /// The token is not good here, whatever the reason.
    static var invalidToken: Refusal {
        Refusal(.invalidToken, "The access token is not one of ours, has expired or was revoked. Get a new one.")
    }
}
