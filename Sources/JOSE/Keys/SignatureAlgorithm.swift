package import Basics

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

    /// What a peer's key may be pinned with. RS256 is for providers that know nothing else.
    package static let pinnable: Set<SignatureAlgorithm> = [.es256, .edDSA, .ps256]

    /// The algorithm that a pinned key's `alg` names; ES256 where it names none.
    ///
    /// - Throws: `unfit-key` for one that no key may be pinned with.
    package init(pinnedWith jwk: JWK) throws(Fault) {
        guard let name = jwk.algorithm else {
            self = .es256
            return
        }
        guard let named = SignatureAlgorithm(rawValue: name), SignatureAlgorithm.pinnable.contains(named) else {
            throw Fault(.unfitKey, "A key is pinned for ES256, EdDSA or PS256, and this one names another alg.")
        }
        self = named
    }
}
