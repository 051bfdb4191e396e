import Basics
import JOSE

extension TokenSet {
    /// When the person signed in at the provider, by its clock: `auth_time` of the ID token, else its `iat`. The token
    /// was verified when it came.
    var signedInAt: Timestamp? {
        guard let idToken, let token = try? UnverifiedJWS(compact: idToken.unmasked),
            let claims = try? JWTClaims(token.unverifiedPayload)
        else { return nil }
        return claims.timestamp("auth_time") ?? claims.issuedAt
    }
}
