/// What other readers of YAML take an unquoted text for.
enum PlainScalar {
    /// Whether YAML 1.1 reads the text as a truth value and YAML 1.2 as text: the reason why `country: no` is a trap.
    static func isContested(_ text: String) -> Bool {
        ["y", "n", "yes", "no", "on", "off"].contains(text.lowercased())
    }

    /// Whether the text is `true` or `false` in any letter case.
    static func isTruthValue(_ text: String) -> Bool { ["true", "false"].contains(text.lowercased()) }

    /// Whether the text stands for nothing.
    static func isNull(_ text: String) -> Bool { text.isEmpty || text == "~" || text.lowercased() == "null" }

    /// Whether the text is a whole number as JSON writes it: no plus sign, no leading zero.
    static func isInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return digits == "0" || !digits.hasPrefix("0")
    }

    /// Whether the text is a number with a fraction or an exponent as JSON writes it (RFC 8259 §6).
    static func isFraction(_ text: String) -> Bool {
        text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil && !isInteger(text)
    }
}
