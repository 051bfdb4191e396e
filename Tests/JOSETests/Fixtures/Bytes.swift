import JOSE

/// The bytes of hexadecimal text; anything else in it is a mistake of the test.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 255) }
    precondition(digits.count % 2 == 0 && digits.allSatisfy { $0 < 16 })
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The UTF-8 of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// A token with one character changed, at that part and place.
func tampered(_ token: String, part: Int, at place: Int = 3) -> String {
    var parts = token.split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
    parts[part][place] = parts[part][place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
}
