package import Basics
package import JOSE

/// Who logged in, when and for whom (OpenID Connect Core §2).
///
/// It exists only as the outcome of an `IDTokenVerifier`.
package struct IDToken: Sendable, Hashable {
    /// All claims.
    package let claims: JWTClaims
    /// `iss`.
    package let issuer: Issuer
    /// `sub`.
    package let subject: Subject
    /// The token as it came, for `id_token_hint`.
    package let compact: String

    init(claims: JWTClaims, issuer: Issuer, subject: Subject, compact: String) {
        self.claims = claims
        self.issuer = issuer
        self.subject = subject
        self.compact = compact
    }

    /// `aud`.
    package var audience: [String] { claims.audience }

    /// `nonce`.
    package var nonce: Nonce? { claims["nonce"]?.stringValue.flatMap { try? Nonce($0) } }

    /// `exp`.
    package var expires: Timestamp? { claims.expiration }

    /// `auth_time`: when the person last logged in.
    package var authTime: Timestamp? { claims.timestamp("auth_time") }

    /// `sid`: the provider's session (OpenID Connect Front-Channel Logout §3).
    package var sessionID: String? { claims["sid"]?.stringValue }

    /// `ds_hash`: which device secret belongs to the token (OpenID Connect Native SSO §3.3).
    package var deviceSecretHash: String? { claims["ds_hash"]?.stringValue }

    /// `acr`: how strong the login was.
    package var acr: String? { claims["acr"]?.stringValue }
}

/// Shown by its issuer alone: the rest is personal, and the token itself opens doors.
extension IDToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "IDToken(issuer: \(issuer), ••••••••)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
