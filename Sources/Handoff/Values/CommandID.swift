package import Basics
import JOSE

/// The `jti` of one command: 128 random bits, as base64url.
package struct CommandID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The id as text.
    package let text: String

    /// Makes an id from 16 random bytes.
    package init(randomBytes: [UInt8]) { text = Base64URL.encode(randomBytes) }

    /// Reads an id; throws `command-meaning` unless it is 128 bits in base64url.
    package init(_ text: String) throws(Fault) {
        guard text.utf8.count == 22, let bytes = try? Base64URL.decode(text), bytes.count == 16 else {
            throw Fault(.commandMeaning, detail: "jti or irt is not 128 bits of base64url")
        }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The 16 bytes.
    var bytes: [UInt8] { (try? Base64URL.decode(text)) ?? [] }

    package var description: String { text }
}
