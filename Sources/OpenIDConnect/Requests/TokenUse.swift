import Basics
import JOSE

/// The types of this module's tokens: `typ` says what a token is for, so that none stands in for another
/// (RFC 8725 §3.11).
enum TokenUse {
    /// RFC 9101 §10.8.
    static let requestObject = "oauth-authz-req+jwt"
    /// RFC 7523bis.
    static let clientAssertion = "client-authentication+jwt"
    /// RFC 9449 §4.2.
    static let dpopProof = "dpop+jwt"
}

extension UnverifiedJWS {
    /// `typ` is exactly that.
    func requireType(_ expected: String) throws(Fault) {
        guard type == expected else {
            throw Fault(.unexpectedTokenType, "The token's typ is not \(expected) (RFC 8725 §3.11).")
        }
    }

    /// `typ` is missing or the general `JWT`, or that one.
    func requireGeneralType(or expected: String? = nil) throws(Fault) {
        guard let type, type.uppercased() != "JWT", type != expected else { return }
        throw Fault(.unexpectedTokenType, "The token's typ is that of another use (RFC 8725 §3.11).")
    }
}

extension JWTClaims {
    /// `jti`, which a caller keeps to see that it comes once.
    func requireID() throws(Fault) -> String {
        guard let id, id.isVisibleASCII(atMost: 255) else { throw Fault(.missingTokenID) }
        return id
    }
}
