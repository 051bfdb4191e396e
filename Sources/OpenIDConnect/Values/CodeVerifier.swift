package import Basics
import JOSE

/// The secret half of PKCE: `code_verifier` (RFC 7636 §4.1).
///
/// Stored as its bare text, shown as dots.
package struct CodeVerifier: Hashable, Sendable {
    /// The text as it goes to the token endpoint.
    package let text: Secret<String>

    /// Makes a verifier of 43 characters from 32 random bytes.
    package init(randomBytes: [UInt8]) {
        precondition(randomBytes.count == 32, "a code verifier is made of 32 random bytes (RFC 7636 §4.1)")
        text = Secret(Base64URL.encode(randomBytes))
    }

    /// Reads a verifier.
    ///
    /// - Throws: `invalid-code-verifier` unless the text is 43 to 128 unreserved characters (RFC 7636 §4.1).
    package init(_ text: String) throws(Fault) { try self.init(text, longest: 128) }

    /// Reads the verifier of a classic client: 171 characters, which no other client may send.
    package init(classic text: String) throws(Fault) { try self.init(text, longest: 171) }

    private init(_ text: String, longest: Int) throws(Fault) {
        let isUnreserved = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
            default: false
            }
        }
        guard (43...longest).contains(text.utf8.count), isUnreserved else { throw Fault(.invalidCodeVerifier) }
        self.text = Secret(text)
    }

    /// The public half: the base64url of the SHA-256 of the verifier's ASCII (S256, RFC 7636 §4.2).
    package var challenge: CodeChallenge { CodeChallenge(of: self) }
}

extension CodeVerifier: CustomStringConvertible {
    package var description: String { text.description }
}

extension CodeVerifier: Codable {
    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text.unmasked)
    }
}
