import Basics

/// Makes JSON readable to a YAML parser.
///
/// YAML is nearly a superset of JSON. What is left: tabs between values, `\u` pairs of surrogates, and characters that
/// YAML takes for line breaks or refuses unescaped. Everything keeps its line, so positions stay true.
enum JSONTranslation {
    /// The text as YAML, or nil where it is not JSON and has to be read as it stands.
    static func yaml(fromJSON text: String, limits: YAMLNode.Limits) -> String? {
        guard let first = text.unicodeScalars.first(where: { !whitespace.contains($0) }), first == "{" || first == "["
        else { return nil }
        let limits = JSONValue.Limits(bytes: limits.bytes, depth: limits.depth)
        guard (try? JSONValue(parsing: text, limits: limits)) != nil else { return nil }
        var translator = Translator(scalars: Array(text.unicodeScalars))
        return translator.translate()
    }

    private static let whitespace: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r"]
}

/// One pass over text that is known to be JSON.
private struct Translator {
    let scalars: [Unicode.Scalar]
    var index = 0
    var result = String.UnicodeScalarView()

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func translate() -> String {
        var inString = false
        while index < scalars.count {
            let scalar = scalars[index]
            index += 1
            if scalar == "\"" { inString.toggle() }
            if !inString {
                result.append(scalar == "\t" ? " " : scalar)
            } else if scalar == "\\" {
                copyEscape()
            } else {
                result.append(contentsOf: isPlain(scalar) ? String(scalar).unicodeScalars : escape(scalar.value))
            }
        }
        return String(result)
    }

    private mutating func copyEscape() {
        let kind = scalars[index]
        index += 1
        guard kind == "u" else {
            result.append("\\")
            result.append(kind)
            return
        }
        var value = readUnit()
        if (0xD800..<0xDC00).contains(value) {
            index += 2
            value = 0x10000 + (value - 0xD800) << 10 + (readUnit() - 0xDC00)
        }
        result.append(contentsOf: escape(value))
    }

    private mutating func readUnit() -> UInt32 {
        defer { index += 4 }
        return scalars[index..<index + 4].reduce(0) { $0 << 4 | UInt32(Character($1).hexDigitValue ?? 0) }
    }

    /// Whether YAML reads the character in a string as itself.
    private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD: true
        default: false
        }
    }

    private func escape(_ value: UInt32) -> String.UnicodeScalarView {
        let digits = String(value, radix: 16, uppercase: true)
        return ("\\U" + String(repeating: "0", count: 8 - digits.count) + digits).unicodeScalars
    }
}
