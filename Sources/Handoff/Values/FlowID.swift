package import Basics

/// The id of one whole hand-off: a UUID in lower case, the same in every command of the flow.
package struct FlowID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The UUID as text.
    package let text: String

    /// Reads an id; throws `command-meaning` unless it is a UUID in lower case (RFC 9562 §4).
    package init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        let hyphens = [8, 13, 18, 23]
        let isValid =
            bytes.count == 36
            && bytes.indices.allSatisfy { index in
                let byte = bytes[index]
                if hyphens.contains(index) { return byte == UInt8(ascii: "-") }
                return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
        guard isValid else { throw Fault(.commandMeaning, detail: "flow is not a UUID") }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        try self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    package var description: String { text }
}
