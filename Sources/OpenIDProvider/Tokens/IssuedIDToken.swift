import Basics
import JOSE
import OpenIDConnect

/// An ID token of ours that came back as a hint.
///
/// It may have expired: it says who, not that they are here.
struct IssuedIDToken: Sendable {
    /// `typ` of the ID tokens that we sign, by which no other token of ours passes for one.
    static let type = "JWT"

    let subject: Subject
    /// `sid`.
    let sessionID: String
    let audience: [String]
    /// `ds_hash`.
    let deviceSecretHash: String?

    /// Reads a token that this provider signed.
    ///
    /// - Throws: `Fault` with the rule that does not hold.
    init(_ compact: String, _ context: ProviderContext) throws {
        let token = try UnverifiedJWS(compact: compact)
        guard token.type == IssuedIDToken.type else { throw Fault(.unexpectedTokenType) }
        guard let keyID = token.keyID, let key = context.keys.verification(id: keyID) else {
            throw Fault(.unknownTokenKey)
        }
        let claims = try JWTClaims(try token.verified(by: key))
        try claims.requireIssuer(context.issuer.text)
        guard let subject = claims.subject, let sessionID = claims["sid"]?.stringValue else {
            throw Fault(.invalidClaims)
        }
        self.subject = try Subject(subject)
        self.sessionID = sessionID
        audience = claims.audience
        deviceSecretHash = claims["ds_hash"]?.stringValue
    }
}
