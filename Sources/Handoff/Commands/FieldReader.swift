package import Basics

/// Reads a command's fields once each, and refuses what is left over.
package struct FieldReader {
    private var rest: [String: JSONValue]

    package init(_ fields: [String: JSONValue]) { rest = fields }

    /// The field, if it is there.
    package mutating func optional(_ name: String) -> JSONValue? { rest.removeValue(forKey: name) }

    /// The text of the field, if it is there.
    package mutating func optionalText(_ name: String) throws(Fault) -> String? {
        guard let value = optional(name) else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw Fault(.commandMeaning, detail: "\(name) is not a text")
        }
        return text
    }

    /// The text of a field that must be there.
    package mutating func text(_ name: String) throws(Fault) -> String {
        guard let text = try optionalText(name) else { throw Fault(.commandMeaning, detail: "\(name) is missing") }
        return text
    }

    /// The text of a field that must be there and has no room for a name, an address or a sentence: letters, digits,
    /// `-`, `_` and `.`, and few of them. What is signed only carries nothing else (docs/handoff-protocol.md).
    mutating func token(_ name: String, longest: Int) throws(Fault) -> String {
        let text = try text(name)
        let isToken = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isToken, text.utf8.count <= longest else {
            throw Fault(.commandMeaning, detail: "\(name) is not a token of \(longest) characters at most")
        }
        return text
    }

    /// Throws when a field was not asked for: an unknown field is a misunderstanding, not an extension.
    package func finish() throws(Fault) {
        guard rest.isEmpty else { throw Fault(.commandMeaning, detail: "\(rest.count) unknown field(s)") }
    }
}
