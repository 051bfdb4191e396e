package import Basics

/// The SHA-256 thumbprint of a public key (RFC 7638): the same for the same key, whatever else its JWK says.
package struct KeyThumbprint: Hashable, Sendable {
    /// The thumbprint as 43 characters of base64url.
    package let value: String

    /// Reads a thumbprint.
    ///
    /// - Throws: `invalid-thumbprint`.
    package init(_ text: String) throws(Fault) {
        guard text.utf8.count == 43, (try? Base64URL.decode(text)) != nil else { throw Fault(.invalidThumbprint) }
        value = text
    }

    /// The thumbprint of the canonical JSON of a key's required members.
    init(ofCanonical json: JSONValue) { value = Base64URL.encode(Digest.sha256(json.serialized())) }

    /// The first six bytes in hexadecimal, for people to compare: `7f3a 91c0 5e2d`.
    package var display: String {
        // The value decodes: both initialisers made sure of it.
        let bytes = (try? Base64URL.decode(value)) ?? []
        let groups = stride(from: 0, to: min(6, bytes.count), by: 2).map { Hex.encode(bytes[$0..<$0 + 2]) }
        return groups.joined(separator: " ")
    }
}

extension KeyThumbprint: CustomStringConvertible {
    package var description: String { value }
}

/// A thumbprint is stored as its bare text.
extension KeyThumbprint: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
