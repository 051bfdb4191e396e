package import Basics

/// A public key that checks signatures of one algorithm, parsed once.
///
/// The algorithm is the caller's decision, never a token's (RFC 8725 §3.1).
package struct VerificationKey: Sendable {
    /// The one algorithm that this key checks.
    package let algorithm: SignatureAlgorithm
    /// The key as JSON Web Key.
    package let jwk: JWK

    let key: OpenSSLKey

    /// Takes a key for one algorithm.
    ///
    /// - Throws: `unfit-key` where `use`, `alg`, `key_ops`, type, curve or size does not fit, or the numbers are no key.
    package init(_ jwk: JWK, algorithm: SignatureAlgorithm) throws(Fault) {
        guard jwk.use != .enc else { throw Fault(.unfitKey, "The key is for encryption (use: enc), not signatures.") }
        guard jwk.algorithm == nil || jwk.algorithm == algorithm.rawValue else {
            throw Fault(.unfitKey, "The key's alg is another than \(algorithm.rawValue).")
        }
        guard jwk.operations?.contains("verify") ?? true else {
            throw Fault(.unfitKey, "The key's key_ops do not allow verifying.")
        }
        try VerificationKey.require(jwk.material, fits: algorithm)
        self.init(jwk, algorithm: algorithm, key: try OpenSSLKey.make(jwk.material))
    }

    /// Takes a key that is pinned together with its algorithm: the one that its `alg` names, else ES256.
    ///
    /// - Throws: as `init(_:algorithm:)`, and for an algorithm that no key may be pinned with.
    package init(pinned jwk: JWK) throws(Fault) {
        try self.init(jwk, algorithm: try SignatureAlgorithm(pinnedWith: jwk))
    }

    init(_ jwk: JWK, algorithm: SignatureAlgorithm, key: OpenSSLKey) {
        self.jwk = jwk
        self.algorithm = algorithm
        self.key = key
    }

    /// The RFC 7638 thumbprint.
    package var thumbprint: KeyThumbprint { jwk.thumbprint }

    /// `kid`, or the thumbprint where the key came without.
    package var keyID: String { jwk.keyID ?? thumbprint.value }

    /// Whether the signature, in the form that JWS has (RFC 7518 §3), is this key's over the message.
    package func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, for: message, algorithm)
    }

    private static func require(_ material: PublicKeyMaterial, fits algorithm: SignatureAlgorithm) throws(Fault) {
        switch (algorithm, material) {
        case (.es256, .p256), (.edDSA, .ed25519): return
        case (.rs256, .rsa(let modulus, let exponent)), (.ps256, .rsa(let modulus, let exponent)):
            // RFC 7518 §3.3 asks for 2048 bits; above 8192, checking one signature becomes a way to keep us busy.
            guard (2048...8192).contains(PublicKeyMaterial.bits(of: modulus)) else {
                throw Fault(.unfitKey, "An RSA key has 2048 to 8192 bits (RFC 7518 §3.3).")
            }
            // An even exponent is none, and with 1 everything is its own signature.
            guard let last = exponent.last, last % 2 == 1, exponent != [1], exponent.count <= 8 else {
                throw Fault(.unfitKey, "The RSA exponent is even, 1, or longer than 64 bits.")
            }
            guard !RSAWeakness.hasROCAMark(modulus) else {
                throw Fault(.unfitKey, "The RSA key comes from a generator whose keys can be broken (CVE-2017-15361).")
            }
        default:
            throw Fault(.unfitKey, "A key of this type or curve does not make \(algorithm.rawValue) signatures.")
        }
    }
}

/// Keys are equal when key and algorithm are, whatever words came with them.
extension VerificationKey: Hashable {
    package static func == (left: VerificationKey, right: VerificationKey) -> Bool {
        left.algorithm == right.algorithm && left.thumbprint == right.thumbprint
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(thumbprint)
    }
}
