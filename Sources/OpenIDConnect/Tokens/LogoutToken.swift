package import Basics
package import JOSE

/// A provider's word that somebody's session has ended (OpenID Connect Back-Channel Logout §2.4).
///
/// As an input it exists only as the outcome of a `LogoutTokenVerifier`.
package struct LogoutToken: Sendable, Hashable {
    /// `typ` (§2.4, RFC 8725 §3.11).
    package static let type = "logout+jwt"
    /// The one member of `events`.
    package static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// `iss`.
    package let issuer: Issuer
    /// `sub`: whose sessions ended; all of them where no session is named.
    package let subject: Subject?
    /// `sid`: which session ended.
    package let sessionID: String?
    /// `jti`: a token counts once.
    package let id: String
    /// `iat`. What began after it is not meant.
    package let issuedAt: Timestamp
    /// `exp`.
    package let expires: Timestamp

    init(
        issuer: Issuer, subject: Subject?, sessionID: String?, id: String, issuedAt: Timestamp, expires: Timestamp
    ) {
        self.issuer = issuer
        self.subject = subject
        self.sessionID = sessionID
        self.id = id
        self.issuedAt = issuedAt
        self.expires = expires
    }

    /// Makes a token for one client.
    ///
    /// - Parameters:
    ///   - subject: whose sessions ended.
    ///   - sessionID: the one that ended; without it, all.
    ///   - id: random.
    ///   - lifetime: whole seconds from `now` to `exp`.
    /// - Throws: `cryptography-failed`.
    package static func signed(
        issuer: Issuer, audience: ClientID, subject: Subject, sessionID: String?, id: String, now: Timestamp,
        lifetime: Duration, key: SigningKey
    ) throws(Fault) -> String {
        var claims: [String: JSONValue] = [
            "iss": .string(issuer.text), "aud": .string(audience.text), "sub": .string(subject.text),
            "jti": .string(id), "iat": .integer(now.seconds), "exp": .integer((now + lifetime).seconds),
            "events": [event: [:]],
        ]
        claims["sid"] = sessionID.map(JSONValue.string)
        return try JWS.sign(
            JSONValue.object(claims).serialized(), header: ["typ": .string(type), "kid": .string(key.keyID)], by: key)
    }
}
