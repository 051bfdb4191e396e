/// Finds the end of a header block as its bytes arrive, and refuses bytes that no header may hold.
///
/// Each byte is looked at once, however slowly they come.
struct HeaderScanner {
    private var scanned = 0

    /// Looks at the bytes that are new since the last call.
    ///
    /// - Parameter bytes: everything received of this block so far, from its first byte.
    /// - Returns: the length of the block with its empty last line, or `nil` while that line is missing.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>) throws(Refusal) -> Int? {
        var index = scanned
        while index < bytes.count {
            let byte = bytes[index]
            let previous = index > 0 ? bytes[index - 1] : 0
            if byte == .lineFeed {
                guard previous == .carriageReturn else { throw .bareLineFeed }
                if index >= 3, bytes[index - 2] == .lineFeed { return index + 1 }
            } else {
                guard previous != .carriageReturn else { throw .bareCarriageReturn }
                guard byte >= .space && byte != .delete || byte == .carriageReturn || byte == .tab else {
                    throw .controlByte
                }
            }
            index += 1
        }
        scanned = index
        return nil
    }
}

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let delete: UInt8 = 0x7F

    /// Whether the byte may stand in a method or a field name (RFC 9110 §5.6.2).
    var isTokenByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
