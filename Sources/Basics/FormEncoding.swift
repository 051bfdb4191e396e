/// The percent encoding of form fields: a plus sign is a space (WHATWG URL §5).
package enum FormEncoding {
    /// The text with every byte escaped but RFC 3986's unreserved ones, so that each reader of forms, with `+` as a
    /// space or without, gets the same text back.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text under the encoding.
    ///
    /// - Throws: `Fault` with `invalid-form` for a byte outside visible ASCII, a broken percent triplet, or UTF-8 that
    ///   is not valid: repairing it would make two texts one.
    package static func decode(_ encoded: some Collection<UInt8>) throws(Fault) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count)
        var rest = encoded[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else {
                    throw Fault(.invalidForm, detail: "a broken percent triplet")
                }
                bytes.append(high << 4 | low)
            case 0x21...0x7E: bytes.append(byte)
            default: throw Fault(.invalidForm, detail: "a byte that must be escaped")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Fault(.invalidForm, detail: "not UTF-8")
        }
        return text
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
