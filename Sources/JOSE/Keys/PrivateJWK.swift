import Basics

/// A private key in JWK form, on its way in or out.
enum PrivateJWK {
    /// Reads a private key: its public half with the words about it, and the whole as OpenSSL holds it.
    ///
    /// - Throws: `invalid-key`, `unsupported-key`.
    static func parse(_ text: Secret<String>) throws(Fault) -> (publicPart: JWK, key: OpenSSLKey) {
        let value: JSONValue
        do throws(Fault) {
            value = try JSONValue(parsing: text.unmasked)
        } catch {
            throw Fault(.invalidKey, "The private key is not JSON.", underlying: error)
        }
        let members = try JWKMembers(value)
        let publicPart = try JWK(publicPartOf: members)
        let numbers = try privateNumbers(in: members, for: publicPart.material)
        return (publicPart, try OpenSSLKey.make(publicPart.material, privateNumbers: numbers))
    }

    private static func privateNumbers(
        in members: JWKMembers, for material: PublicKeyMaterial
    ) throws(Fault) -> [[UInt8]] {
        let names: [String]
        switch material {
        case .p256, .ed25519: names = ["d"]
        case .rsa: names = ["d", "p", "q", "dp", "dq", "qi"]
        }
        for name in JWKMembers.privateNames.subtracting(names).sorted() where members.values[name] != nil {
            throw members.refusal(name, "does not belong to a key of this type")
        }
        if case .rsa = material {
            var numbers: [[UInt8]] = []
            for name in names { numbers.append(try members.number(name)) }
            return numbers
        }
        return [try members.octets("d", count: 32)]
    }

    /// Writes a private key, with the words of its public half.
    static func text(of key: OpenSSLKey, describedBy publicPart: JWK) throws(Fault) -> Secret<String> {
        var members = publicPart.json.objectValue ?? [:]
        for (name, bytes) in try key.privateNumbers() { members[name] = .string(Base64URL.encode(bytes)) }
        return Secret(JSONValue.object(members).serializedText)
    }
}
