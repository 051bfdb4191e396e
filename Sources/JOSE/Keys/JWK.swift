package import Basics

/// A public key with what its owner says about it (RFC 7517), read strictly.
package struct JWK: Hashable, Sendable {
    /// What a key is for (`use`, RFC 7517 §4.2).
    package enum Use: String, Sendable, Codable {
        case sig, enc
    }

    /// `use`.
    package let use: Use?
    /// `alg`.
    package let algorithm: String?
    /// `kid`.
    package let keyID: String?
    /// `key_ops`.
    package let operations: [String]?
    /// The RFC 7638 thumbprint, whatever `kid` says.
    package let thumbprint: KeyThumbprint

    let material: PublicKeyMaterial

    init(_ material: PublicKeyMaterial, use: Use?, algorithm: String?, keyID: String?, operations: [String]? = nil) {
        self.material = material
        self.use = use
        self.algorithm = algorithm
        self.keyID = keyID
        self.operations = operations
        thumbprint = KeyThumbprint(ofCanonical: .object(material.members))
    }

    /// `kty`: `EC`, `RSA` or `OKP`.
    package var keyType: String { material.keyType }

    /// The key as JSON, with the members it came with.
    package var json: JSONValue {
        var members = material.members
        if let use { members["use"] = .string(use.rawValue) }
        if let algorithm { members["alg"] = .string(algorithm) }
        if let keyID { members["kid"] = .string(keyID) }
        if let operations { members["key_ops"] = .array(operations.map { .string($0) }) }
        return .object(members)
    }

    /// The same key with other words about it.
    package func with(use: Use?, algorithm: String?, keyID: String?) -> JWK {
        JWK(material, use: use, algorithm: algorithm, keyID: keyID)
    }
}
