package import Basics

/// One rule each, with a code of its own. What a rule needs and does not find, it refuses.
extension JWTClaims {
    /// `iss` is exactly the expected one (RFC 7519 §4.1.1).
    ///
    /// - Throws: `wrong-issuer`.
    package func requireIssuer(_ expected: String) throws(Fault) {
        guard let issuer, issuer.utf8.elementsEqual(expected.utf8) else { throw Fault(.wrongIssuer) }
    }

    /// `aud` names the receiver (RFC 7519 §4.1.3), and nobody else where `alone`.
    ///
    /// - Throws: `wrong-audience`.
    package func requireAudience(_ expected: String, alone: Bool) throws(Fault) {
        // Bytes, because Swift's strings are equal when they look the same.
        let isNamed = audience.contains { $0.utf8.elementsEqual(expected.utf8) }
        guard isNamed, !alone || audience.count == 1 else { throw Fault(.wrongAudience) }
    }

    /// `exp` is there and still to come (RFC 7519 §4.1.4).
    ///
    /// - Throws: `token-expired`.
    package func requireUnexpired(at now: Timestamp, skew: Duration) throws(Fault) {
        guard let expiration, now < expiration + skew else { throw Fault(.tokenExpired) }
    }

    /// `nbf`, where it is there, has come (RFC 7519 §4.1.5).
    ///
    /// - Throws: `token-not-yet-valid`.
    package func requireStarted(at now: Timestamp, skew: Duration) throws(Fault) {
        guard members["nbf"] != nil else { return }
        guard let notBefore, notBefore - skew <= now else { throw Fault(.tokenNotYetValid) }
    }

    /// `iat` is there, not in the future, and at most `age` ago (RFC 7519 §4.1.6).
    ///
    /// - Throws: `token-not-fresh`.
    package func requireIssued(at now: Timestamp, within age: Duration, skew: Duration) throws(Fault) {
        guard let issuedAt, issuedAt - skew <= now, now <= issuedAt + age + skew else { throw Fault(.tokenNotFresh) }
    }

    /// `exp` comes after `iat`, by at most that much; no skew, as both are the sender's.
    ///
    /// - Throws: `lifetime-too-long`.
    package func requireLifetime(atMost limit: Duration) throws(Fault) {
        guard let issuedAt, let expiration, issuedAt < expiration, expiration - issuedAt <= limit else {
            throw Fault(.lifetimeTooLong)
        }
    }
}
