package import Basics

/// The members of a JWK on their way in: each reading says what it wants and refuses anything else.
struct JWKMembers {
    let values: [String: JSONValue]

    /// Every member that only a private or symmetric key has (RFC 7518 §6.2.2, §6.3.2, §6.4.1).
    static let privateNames: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    init(_ value: JSONValue) throws(Fault) {
        guard case .object(let values) = value else {
            throw Fault(.invalidKey, "A JWK is a JSON object (RFC 7517 §4).")
        }
        self.values = values
    }

    func text(_ name: String) throws(Fault) -> String? {
        guard let value = values[name] else { return nil }
        guard case .string(let text) = value else { throw refusal(name, "is not a string") }
        return text
    }

    func texts(_ name: String) throws(Fault) -> [String]? {
        guard let value = values[name] else { return nil }
        guard case .array(let elements) = value else { throw refusal(name, "is not an array of strings") }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count, Set(texts).count == texts.count else {
            throw refusal(name, "is not an array of different strings")
        }
        return texts
    }

    func octets(_ name: String, count: Int) throws(Fault) -> [UInt8] {
        let bytes = try decoded(name)
        guard bytes.count == count else { throw refusal(name, "is not \(count) bytes long") }
        return bytes
    }

    /// A Base64urlUInt (RFC 7518 §2): as few bytes as the number needs.
    func number(_ name: String) throws(Fault) -> [UInt8] {
        let bytes = try decoded(name)
        guard let first = bytes.first, first != 0 else { throw refusal(name, "is empty or has a leading zero") }
        return bytes
    }

    private func decoded(_ name: String) throws(Fault) -> [UInt8] {
        guard let text = try text(name) else { throw refusal(name, "is missing") }
        guard let bytes = try? Base64URL.decode(text) else { throw refusal(name, "is not base64url") }
        return bytes
    }

    func refusal(_ name: String, _ why: String) -> Fault {
        Fault(.invalidKey, "The JWK's member “\(name)” \(why) (RFC 7517, RFC 7518 §6).")
    }

    func publicMaterial() throws(Fault) -> PublicKeyMaterial {
        guard let keyType = try text("kty") else { throw refusal("kty", "is missing") }
        let curve = try text("crv")
        switch (keyType, curve) {
        case ("EC", "P-256"): return .p256(x: try octets("x", count: 32), y: try octets("y", count: 32))
        case ("OKP", "Ed25519"): return .ed25519(try octets("x", count: 32))
        case ("RSA", _): return .rsa(modulus: try number("n"), exponent: try number("e"))
        case ("EC", nil), ("OKP", nil): throw refusal("crv", "is missing")
        default: throw Fault(.unsupportedKey)
        }
    }
}

extension JWK {
    /// The public half of what the members say.
    init(publicPartOf members: JWKMembers) throws(Fault) {
        let material = try members.publicMaterial()
        var use: Use?
        if let text = try members.text("use") {
            guard let known = Use(rawValue: text) else {
                throw Fault(.unsupportedKey, "The key's use is neither sig nor enc (RFC 7517 §4.2).")
            }
            use = known
        }
        self.init(
            material, use: use, algorithm: try members.text("alg"), keyID: try members.text("kid"),
            operations: try members.texts("key_ops"))
    }

    /// Reads a public key.
    ///
    /// - Throws: `exposed-private-key` where any private member is present, `unsupported-key` for another type, curve
    ///   or use, `invalid-key` for everything else that RFC 7517 and RFC 7518 §6 do not allow.
    package init(_ value: JSONValue) throws(Fault) {
        let members = try JWKMembers(value)
        guard JWKMembers.privateNames.isDisjoint(with: members.values.keys) else { throw Fault(.exposedPrivateKey) }
        try self.init(publicPartOf: members)
    }

    /// Reads a public key from its JSON text, as `init(_:)` does.
    package init(parsing text: String) throws(Fault) { try self.init(try JSONValue(parsing: text)) }
}
