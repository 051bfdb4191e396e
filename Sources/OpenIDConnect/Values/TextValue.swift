package import Basics

/// One checked piece of text: made once at the edge, never checked again behind it.
///
/// Every such text is ASCII, so that equal values are equal bytes. It is stored as the bare text.
package protocol TextValue: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Checks a text.
    init(_ text: String) throws(Fault)

    /// The text as it goes on the wire.
    var text: String { get }
}

extension TextValue {
    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package var description: String { text }
}

extension String {
    /// Whether the text is 1 to `limit` visible ASCII characters or spaces (VSCHAR, RFC 6749 appendix A).
    func isVisibleASCII(atMost limit: Int) -> Bool {
        (1...limit).contains(utf8.count) && utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
