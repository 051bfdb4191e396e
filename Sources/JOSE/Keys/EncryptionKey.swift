package import Basics

/// The public key to which tokens are encrypted: P-256, ECDH-ES (RFC 7518 §4.6), parsed once.
package struct EncryptionKey: Sendable {
    /// The key as JSON Web Key.
    package let jwk: JWK

    let key: OpenSSLKey

    /// Takes a key for encryption.
    ///
    /// - Throws: `unfit-key` where `use` or `alg` says otherwise, or it is not a point on P-256.
    package init(_ jwk: JWK) throws(Fault) {
        guard jwk.use != .sig else { throw Fault(.unfitKey, "The key is for signatures (use: sig), not encryption.") }
        guard jwk.algorithm == nil || jwk.algorithm == JWE.algorithm else {
            throw Fault(.unfitKey, "The key's alg is another than \(JWE.algorithm).")
        }
        guard case .p256 = jwk.material else { throw Fault(.unfitKey, "An encryption key is on P-256.") }
        self.jwk = jwk
        key = try OpenSSLKey.make(jwk.material)
    }

    /// The RFC 7638 thumbprint.
    package var thumbprint: KeyThumbprint { jwk.thumbprint }
}

/// Keys are equal when their thumbprints are.
extension EncryptionKey: Hashable {
    package static func == (left: EncryptionKey, right: EncryptionKey) -> Bool { left.thumbprint == right.thumbprint }
    package func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }
}
