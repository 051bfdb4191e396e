import Basics
import JOSE

extension JWKSet {
    /// The key that a provider's token was signed with: by `kid`, or the only one that fits where the token names none
    /// (OpenID Connect Core §10.1).
    ///
    /// - Throws: `id-token-algorithm`, `unknown-token-key` (fetch the keys again and try once more), `unfit-key`.
    func key(for token: UnverifiedJWS, algorithms: [SignatureAlgorithm]) throws(Fault) -> VerificationKey {
        guard let algorithm = algorithms.first(where: { $0.rawValue == token.algorithmName }) else {
            throw Fault(.idTokenAlgorithm)
        }
        if let id = token.keyID {
            guard let jwk = key(id: id) else { throw Fault(.unknownTokenKey) }
            return try VerificationKey(jwk, algorithm: algorithm)
        }
        let fitting = keys.compactMap { try? VerificationKey($0, algorithm: algorithm) }
        guard fitting.count == 1, let key = fitting.first else {
            throw Fault(.unknownTokenKey, "The token names no key, and not exactly one of the provider's keys fits.")
        }
        return key
    }
}
