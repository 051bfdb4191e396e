import Basics

/// The numbers of a public key, at their exact widths.
enum PublicKeyMaterial: Hashable, Sendable {
    /// A point on P-256, two times 32 bytes (RFC 7518 §6.2.1).
    case p256(x: [UInt8], y: [UInt8])
    /// Modulus and exponent without leading zeroes (RFC 7518 §6.3.1).
    case rsa(modulus: [UInt8], exponent: [UInt8])
    /// 32 bytes (RFC 8037 §2).
    case ed25519([UInt8])

    var keyType: String {
        switch self {
        case .p256: "EC"
        case .rsa: "RSA"
        case .ed25519: "OKP"
        }
    }

    /// The members that RFC 7638 §3.2 and RFC 8037 §2 hash, and no others.
    var members: [String: JSONValue] {
        switch self {
        case .p256(let x, let y):
            ["kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(x)), "y": .string(Base64URL.encode(y))]
        case .rsa(let modulus, let exponent):
            ["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": .string(Base64URL.encode(exponent))]
        case .ed25519(let x):
            ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(x))]
        }
    }

    /// The size of an RSA modulus.
    static func bits(of number: [UInt8]) -> Int {
        guard let first = number.first else { return 0 }
        return number.count * 8 - first.leadingZeroBitCount
    }
}
