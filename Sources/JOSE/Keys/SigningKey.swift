package import Basics
import COpenSSL

/// A private key that signs with one algorithm, parsed once.
package struct SigningKey: Sendable {
    /// The one algorithm that this key signs with.
    package let algorithm: SignatureAlgorithm
    /// The public half: `use: sig`, `alg`, and the thumbprint as `kid`.
    package let verificationKey: VerificationKey

    let key: OpenSSLKey

    /// Makes a new key.
    ///
    /// RSA (2048 bits) takes a tenth of a second and more, so callers offload it.
    ///
    /// - Throws: `cryptography-failed`.
    package static func generate(_ algorithm: SignatureAlgorithm) throws(Fault) -> SigningKey {
        let pointer =
            switch algorithm {
            case .es256: countersign_generate_ec("P-256")
            case .rs256, .ps256: countersign_generate_rsa(2048)
            case .edDSA: countersign_generate_ed25519()
            }
        guard let key = OpenSSLKey(adopting: pointer), let material = key.publicMaterial() else {
            throw Fault.openSSL("make a key")
        }
        return try SigningKey(key, material, algorithm)
    }

    /// Reads a private JWK.
    ///
    /// - Throws: `invalid-key`, `unsupported-key`; `unfit-key` where `use`, `alg`, type, curve or size does not fit.
    package init(privateJWK: Secret<String>, algorithm: SignatureAlgorithm) throws(Fault) {
        let (publicPart, key) = try PrivateJWK.parse(privateJWK)
        guard publicPart.operations?.contains("sign") ?? true else {
            throw Fault(.unfitKey, "The key's key_ops do not allow signing.")
        }
        let described = JWK(publicPart.material, use: publicPart.use, algorithm: publicPart.algorithm, keyID: nil)
        _ = try VerificationKey(described, algorithm: algorithm)
        try self.init(key, publicPart.material, algorithm)
    }

    /// Reads a private JWK whose `alg` names an algorithm that its public half can be pinned with, else ES256.
    ///
    /// - Throws: as `init(privateJWK:algorithm:)`.
    package init(pinnablePrivateJWK text: Secret<String>) throws(Fault) {
        try self.init(
            privateJWK: text, algorithm: try SignatureAlgorithm(pinnedWith: try PrivateJWK.parse(text).publicPart))
    }

    private init(_ key: OpenSSLKey, _ material: PublicKeyMaterial, _ algorithm: SignatureAlgorithm) throws(Fault) {
        let bare = JWK(material, use: nil, algorithm: nil, keyID: nil)
        let jwk = bare.with(use: .sig, algorithm: algorithm.rawValue, keyID: bare.thumbprint.value)
        // The public half is an object of its own, so that what verifies never holds the private numbers.
        verificationKey = try VerificationKey(jwk, algorithm: algorithm)
        self.key = key
        self.algorithm = algorithm
    }

    /// The key as a private JWK (RFC 7518 §6), for the key store.
    package func privateJWK() throws(Fault) -> Secret<String> {
        try PrivateJWK.text(of: key, describedBy: verificationKey.jwk)
    }

    /// The RFC 7638 thumbprint of the public half.
    package var thumbprint: KeyThumbprint { verificationKey.thumbprint }

    /// The thumbprint, as `kid`.
    package var keyID: String { thumbprint.value }

    /// Signs, in the form that JWS has: for ES256 64 bytes, r and s (RFC 7518 §3.4).
    ///
    /// - Throws: `cryptography-failed`.
    package func sign(_ message: [UInt8]) throws(Fault) -> [UInt8] { try key.sign(message, algorithm) }
}
