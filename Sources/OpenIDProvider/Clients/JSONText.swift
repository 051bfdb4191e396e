import Basics

/// JSON inside a record, kept as its text.
struct JSONText: Codable, Sendable, Hashable {
    var value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        value = try JSONValue(parsing: try decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.serializedText)
    }
}
