package import Basics

/// The id of an app: a reverse domain name such as `com.example.notes`, which is also its name on the bus.
package struct AppID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The id as text.
    package let text: String

    /// Reads an id.
    ///
    /// - Throws: `invalid-app-id` unless the text is two or more elements of letters, digits, `_` and `-`, joined by
    ///   dots, none of which starts with a digit, in at most 200 characters (D-Bus specification, "Bus names").
    package init(_ text: String) throws(Fault) {
        let elements = text.split(separator: ".", omittingEmptySubsequences: false)
        let isValid =
            text.utf8.count <= 200 && elements.count >= 2
            && elements.allSatisfy { element in
                guard let first = element.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
                    return false
                }
                return element.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
            }
        guard isValid else { throw Fault(.invalidAppID) }
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
