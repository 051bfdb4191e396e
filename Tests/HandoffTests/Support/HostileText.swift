import Basics

/// Texts that break lenient parsers, from a seed.
struct HostileText {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func flag() -> Bool { next() % 2 == 0 }

    /// Texts that are known to hurt.
    static let known = [
        "+", "%41", "%2B", "%25", "%", "%zz", "%20%36^^***", "===&&", "%@$&7&", "a+b c", "a&command=b", "?#", "#", "\n",
        "\r\n", "\0", "\u{7F}", "\u{1B}[31m", "\u{301}", "e\u{301}", "é", "\u{212B}", "\u{212A}", "Å", "\u{37E}",
        "👩‍👩‍👧‍👦", "🇩🇪", "\u{202E}txt", "\u{FEFF}", "\u{2028}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{E000}", "\"", "\\",
        "\\u0041",
        "/", "</script>", "null", "0", "{}", "[]", "code==", "the-code==", " ", "\t", "ß", "İ", "ı", "ﬀ", "가",
        "\u{1100}\u{1161}",
        String(repeating: "v", count: 171), String(repeating: "\u{300}", count: 40), String(repeating: "ü", count: 171),
    ]

    /// A text that is not empty.
    mutating func text() -> String {
        switch number(below: 4) {
        case 0: return Self.known[number(below: Self.known.count)]
        case 1: return Self.known[number(below: Self.known.count)] + Self.known[number(below: Self.known.count)]
        case 2: return scalars(count: 1 + number(below: 12), below: 0x80)
        default: return scalars(count: 1 + number(below: 12), below: 0x11_0000)
        }
    }

    private mutating func scalars(count: Int, below bound: Int) -> String {
        var text = ""
        while text.unicodeScalars.count < count {
            if let scalar = Unicode.Scalar(UInt32(number(below: bound))) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}

extension Array {
    mutating func shuffle(_ random: inout HostileText) {
        for index in indices.dropFirst().reversed() { swapAt(index, random.number(below: index + 1)) }
    }
}
