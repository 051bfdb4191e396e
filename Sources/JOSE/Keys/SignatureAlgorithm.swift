/// The signature algorithms of this product, by their names in RFC 7518 §3.1 and RFC 8037 §3.1.
package enum SignatureAlgorithm: String, Sendable, Codable, CaseIterable {
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// EdDSA with Ed25519.
    case edDSA = "EdDSA"
}
