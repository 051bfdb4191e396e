extension JSONValue {
    /// How much JSON a reader takes.
    package struct Limits: Sendable {
        /// The longest text, in bytes.
        package var bytes: Int
        /// The deepest nesting of arrays and objects.
        package var depth: Int

        package init(bytes: Int = 65_536, depth: Int = 16) {
            self.bytes = bytes
            self.depth = depth
        }
    }

    /// Reads one JSON text strictly: valid UTF-8, no repeated names, no lone surrogates, nothing after the value.
    ///
    /// - Throws: `Fault` with code `invalid-json`; its detail has the place, never the text.
    package init(parsing bytes: some Sequence<UInt8>, limits: Limits = Limits()) throws(Fault) {
        var reader = JSONReader(Array(bytes), depthLimit: limits.depth)
        guard reader.count <= limits.bytes else {
            throw Fault(.invalidJSON, detail: "\(reader.count) bytes, limit \(limits.bytes)")
        }
        self = try reader.readDocument()
    }

    /// Reads one JSON text from a string, as `init(parsing:limits:)` does from bytes.
    package init(parsing text: String, limits: Limits = Limits()) throws(Fault) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}

/// A recursive-descent reader of RFC 8259, and nothing more lenient.
private struct JSONReader {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var position = 0
    private var depth = 0

    var count: Int { bytes.count }

    init(_ bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func readDocument() throws(Fault) -> JSONValue {
        skipWhitespace()
        let value = try readValue()
        skipWhitespace()
        guard position == bytes.count else { throw refusal("text after the value") }
        return value
    }

    private func refusal(_ why: String) -> Fault { Fault(.invalidJSON, detail: "\(why) at byte \(position)") }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func readValue() throws(Fault) -> JSONValue {
        switch next {
        case UInt8(ascii: "{"): return try nested { reader throws(Fault) in try reader.readObject() }
        case UInt8(ascii: "["): return try nested { reader throws(Fault) in try reader.readArray() }
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", .null)
        case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try readNumber()
        case nil: throw refusal("end of text where a value belongs")
        default: throw refusal("no value starts like this")
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws(Fault) -> JSONValue) throws(Fault) -> JSONValue {
        depth += 1
        guard depth <= depthLimit else { throw refusal("nesting deeper than \(depthLimit)") }
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func readWord(_ word: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        let count = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { buffer in
            position + count <= bytes.count && bytes[position..<position + count].elementsEqual(buffer)
        }
        guard matches else { throw refusal("unknown word") }
        position += count
        return value
    }

    private mutating func readObject() throws(Fault) -> JSONValue {
        position += 1
        var members: [String: JSONValue] = [:]
        skipWhitespace()
        if next == UInt8(ascii: "}") {
            position += 1
            return .object(members)
        }
        while true {
            skipWhitespace()
            guard next == UInt8(ascii: "\"") else { throw refusal("a member's name belongs here") }
            let name = try readString()
            skipWhitespace()
            guard next == UInt8(ascii: ":") else { throw refusal("a colon belongs here") }
            position += 1
            skipWhitespace()
            let value = try readValue()
            guard members.updateValue(value, forKey: name) == nil else { throw refusal("a repeated name") }
            skipWhitespace()
            if next == UInt8(ascii: ",") {
                position += 1
            } else if next == UInt8(ascii: "}") {
                position += 1
                return .object(members)
            } else {
                throw refusal("a comma or a closing brace belongs here")
            }
        }
    }

    private mutating func readArray() throws(Fault) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if next == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            skipWhitespace()
            elements.append(try readValue())
            skipWhitespace()
            if next == UInt8(ascii: ",") {
                position += 1
            } else if next == UInt8(ascii: "]") {
                position += 1
                return .array(elements)
            } else {
                throw refusal("a comma or a closing bracket belongs here")
            }
        }
    }

    private mutating func readDigits() throws(Fault) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw refusal("a digit belongs here") }
    }

    private mutating func readNumber() throws(Fault) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        try readDigits()
        if bytes[firstDigit] == UInt8(ascii: "0"), position - firstDigit > 1 { throw refusal("a leading zero") }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try readDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try readDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw refusal("a number out of range") }
        return .number(number)
    }

    private mutating func readString() throws(Fault) -> String {
        position += 1
        var content: [UInt8] = []
        while true {
            guard let byte = next else { throw refusal("an unfinished string") }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                // Validated, not repaired: a lenient decoder would put U+FFFD here and two texts would become one.
                guard let text = String(validating: content, as: UTF8.self) else { throw refusal("not UTF-8") }
                return text
            case UInt8(ascii: "\\"):
                position += 1
                content += try readEscape()
            case 0x00..<0x20: throw refusal("a bare control character")
            default:
                content.append(byte)
                position += 1
            }
        }
    }

    private mutating func readEscape() throws(Fault) -> [UInt8] {
        guard let byte = next else { throw refusal("an unfinished escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw refusal("an unknown escape")
        }
    }

    private mutating func readUnicodeEscape() throws(Fault) -> [UInt8] {
        let unit = try readHexUnit()
        var value = UInt32(unit)
        if (0xD800..<0xDC00).contains(unit) {
            guard next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u")
            else {
                throw refusal("half of a surrogate pair")
            }
            position += 2
            let low = try readHexUnit()
            guard (0xDC00..<0xE000).contains(low) else { throw refusal("half of a surrogate pair") }
            value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw refusal("half of a surrogate pair") }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func readHexUnit() throws(Fault) -> UInt16 {
        guard position + 4 <= bytes.count else { throw refusal("an unfinished escape") }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = bytes[position]
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw refusal("an escape that is not hexadecimal")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
