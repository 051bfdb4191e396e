package import Basics
import COpenSSL

/// The private key that opens what was encrypted to its `EncryptionKey`: P-256, ECDH-ES, parsed once.
package struct DecryptionKey: Sendable {
    /// The public half: `use: enc`, `alg: ECDH-ES`, and the thumbprint as `kid`.
    package let encryptionKey: EncryptionKey

    let key: OpenSSLKey

    /// Makes a new key.
    ///
    /// - Throws: `cryptography-failed`.
    package static func generate() throws(Fault) -> DecryptionKey {
        guard let key = OpenSSLKey(adopting: countersign_generate_ec("P-256")), let material = key.publicMaterial()
        else { throw Fault.openSSL("make a key") }
        return try DecryptionKey(key, material)
    }

    /// Reads a private JWK.
    ///
    /// - Throws: `invalid-key`, `unsupported-key`; `unfit-key` where `use`, `alg` or curve does not fit.
    package init(privateJWK: Secret<String>) throws(Fault) {
        let (publicPart, key) = try PrivateJWK.parse(privateJWK)
        _ = try EncryptionKey(publicPart)
        try self.init(key, publicPart.material)
    }

    private init(_ key: OpenSSLKey, _ material: PublicKeyMaterial) throws(Fault) {
        let bare = JWK(material, use: nil, algorithm: nil, keyID: nil)
        let jwk = bare.with(use: .enc, algorithm: JWE.algorithm, keyID: bare.thumbprint.value)
        encryptionKey = try EncryptionKey(jwk)
        self.key = key
    }

    /// The key as a private JWK, for the key store.
    package func privateJWK() throws(Fault) -> Secret<String> {
        try PrivateJWK.text(of: key, describedBy: encryptionKey.jwk)
    }

    /// The RFC 7638 thumbprint of the public half.
    package var thumbprint: KeyThumbprint { encryptionKey.thumbprint }
}
