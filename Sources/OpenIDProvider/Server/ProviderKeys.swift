package import Basics
package import JOSE

/// The keys that the provider signs with, and those whose signatures it still stands by.
package struct ProviderKeys: Sendable {
    /// Signs for apps that take part in hand-offs, and all access tokens.
    package let es256: SigningKey
    /// Signs ID tokens for clients that name no algorithm.
    package let rs256: SigningKey
    /// Keys of before the last rotation: published and accepted, never used to sign.
    package let previous: [VerificationKey]

    /// Takes the keys.
    ///
    /// - Throws: `unfit-provider-keys` where a key is not of the algorithm its place names.
    package init(es256: SigningKey, rs256: SigningKey, previous: [VerificationKey] = []) throws(Fault) {
        guard es256.algorithm == .es256, rs256.algorithm == .rs256 else { throw Fault(.unfitProviderKeys) }
        self.es256 = es256
        self.rs256 = rs256
        self.previous = previous
    }

    /// The key that signs with an algorithm; nothing for one that the provider does not sign with.
    func signing(_ algorithm: SignatureAlgorithm) -> SigningKey? {
        [es256, rs256].first { $0.algorithm == algorithm }
    }

    /// The key of that `kid`, whether it still signs or not.
    func verification(id: String) -> VerificationKey? { published.first { $0.keyID == id } }

    /// The JWK Set that `/jwks` publishes (RFC 7517 §5).
    package var set: JWKSet {
        JWKSet(keys: published.map { $0.jwk.with(use: .sig, algorithm: $0.algorithm.rawValue, keyID: $0.keyID) })
    }

    private var published: [VerificationKey] { [es256.verificationKey, rs256.verificationKey] + previous }
}
