/// Writes the small YAML files that the product makes, so that any YAML reader understands them alike.
package enum YAMLWriter {
    /// What can be written.
    ///
    /// Mappings keep their order.
    package indirect enum Value: Sendable {
        case text(String)
        case number(Int)
        case bool(Bool)
        case list([Value])
        case mapping([(key: String, value: Value)])
    }

    /// The value as a YAML document that ends in a line feed.
    package static func text(_ value: Value) -> String {
        var lines: [String] = []
        write(value, indent: 0, lead: "", into: &lines)
        return lines.joined(separator: "\n") + "\n"
    }

    /// Writes a value after a lead, which is a key or a dash that already stands in the line.
    private static func write(_ value: Value, indent: Int, lead: String, into lines: inout [String]) {
        let pad = String(repeating: " ", count: indent)
        switch value {
        case .text(let text): lines.append(lead + scalar(text))
        case .number(let number): lines.append(lead + String(number))
        case .bool(let flag): lines.append(lead + (flag ? "true" : "false"))
        case .list(let elements) where elements.isEmpty: lines.append(lead + "[]")
        case .mapping(let pairs) where pairs.isEmpty: lines.append(lead + "{}")
        case .list(let elements):
            if !lead.isEmpty { lines.append(trimmed(lead)) }
            for element in elements { write(element, indent: indent + 2, lead: pad + "- ", into: &lines) }
        case .mapping(let pairs):
            if !lead.isEmpty { lines.append(trimmed(lead)) }
            for pair in pairs {
                write(pair.value, indent: indent + 2, lead: "\(pad)\(scalar(pair.key)): ", into: &lines)
            }
        }
    }

    private static func trimmed(_ lead: String) -> String { lead.hasSuffix(" ") ? String(lead.dropLast()) : lead }

    /// The text as it stands where every reader takes it for text, else in quotation marks.
    private static func scalar(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: /[A-Za-z_\/][A-Za-z0-9_.\/@+\-]*/) != nil
        let isContested = PlainScalar.isContested(text) || PlainScalar.isTruthValue(text) || PlainScalar.isNull(text)
        return isPlain && !isContested && text.utf8.count <= 512 ? text : quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let isLetter = scalar.properties.isAlphabetic && scalar.value < 0xFB00
                if isLetter {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
                }
            }
        }
        return result + "\""
    }
}

extension YAMLWriter.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: YAMLWriter.Value...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, YAMLWriter.Value)...) {
        self = .mapping(elements.map { (key: $0.0, value: $0.1) })
    }
}
