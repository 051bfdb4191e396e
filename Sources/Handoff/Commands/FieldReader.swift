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

    /// Throws when a field was not asked for: an unknown field is a misunderstanding, not an extension.
    package func finish() throws(Fault) {
        guard rest.isEmpty else { throw Fault(.commandMeaning, detail: "\(rest.count) unknown field(s)") }
    }
}
