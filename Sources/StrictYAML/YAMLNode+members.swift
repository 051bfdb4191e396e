package import Basics

/// What a mapping holds under a key. The optional forms give nil where the key is missing; a key that is there with a
/// value of the wrong kind, or with none, is refused at its place.
extension YAMLNode {
    /// The value under a key; nil where the node is no mapping or lacks the key.
    package subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key == key }?.value
    }

    /// The value under a key that has to be there.
    package func required(_ key: String) throws(Fault) -> YAMLNode {
        _ = try asPairs()
        guard let value = self[key] else { throw refusal("the key “\(key)” is missing here.") }
        return value
    }

    package func string(at key: String) throws(Fault) -> String? { try self[key]?.asString() }
    package func requiredString(at key: String) throws(Fault) -> String { try required(key).asString() }

    package func int(at key: String) throws(Fault) -> Int? { try self[key]?.asInt() }
    package func requiredInt(at key: String) throws(Fault) -> Int { try required(key).asInt() }

    package func bool(at key: String) throws(Fault) -> Bool? { try self[key]?.asBool() }
    package func requiredBool(at key: String) throws(Fault) -> Bool { try required(key).asBool() }

    package func list(at key: String) throws(Fault) -> [YAMLNode]? { try self[key]?.asList() }
    package func requiredList(at key: String) throws(Fault) -> [YAMLNode] { try required(key).asList() }

    package func strings(at key: String) throws(Fault) -> [String]? { try self[key]?.asStrings() }
    package func requiredStrings(at key: String) throws(Fault) -> [String] { try required(key).asStrings() }

    /// The mapping under a key.
    package func mapping(at key: String) throws(Fault) -> YAMLNode? {
        guard let value = self[key] else { return nil }
        _ = try value.asPairs()
        return value
    }

    /// The mapping under a key that has to be there.
    package func requiredMapping(at key: String) throws(Fault) -> YAMLNode {
        let value = try required(key)
        _ = try value.asPairs()
        return value
    }

    /// Refuses a mapping that has any other key than these, at that key's place; the message names the nearest.
    package func expectKeys(_ keys: [String]) throws(Fault) {
        for pair in try asPairs() where !keys.contains(pair.key) {
            let hint =
                NearestName.of(pair.key, among: keys).map { "did you mean “\($0)”?" }
                ?? "known here: \(keys.shortList)."
            throw Fault(.invalidYAML, "\(pair.keyPosition): the key “\(pair.key)” is not known here; \(hint)")
        }
    }
}

extension YAMLNode {
    /// The node as JSON: unquoted `null`, `true`, `false` and numbers become what they say, all else text.
    package var jsonValue: JSONValue {
        switch content {
        case .sequence(let elements): .array(elements.map(\.jsonValue))
        case .mapping(let pairs):
            .object(Dictionary(pairs.map { ($0.key, $0.value.jsonValue) }) { _, last in last })
        case .scalar(let text, quoted: true): .string(text)
        case .scalar("true", quoted: false): .bool(true)
        case .scalar("false", quoted: false): .bool(false)
        case .scalar(let text, quoted: false):
            if PlainScalar.isNull(text) {
                .null
            } else if PlainScalar.isInteger(text), let number = Int64(text) {
                .integer(number)
            } else if PlainScalar.isInteger(text) || PlainScalar.isFraction(text), let number = Double(text) {
                .number(number)
            } else {
                .string(text)
            }
        }
    }
}
