/// How a word may stand out on a terminal.
package enum TextStyle: String, Sendable, CaseIterable {
    case bold = "1"
    case quiet = "2"
    case bad = "31"
    case good = "32"
    case warning = "33"
    case accent = "36"

    var start: String { "\u{1B}[\(rawValue)m" }
    static let end = "\u{1B}[0m"
}

/// When colours are used; the value of `--color`.
package enum ColourChoice: String, Sendable {
    case auto, always, never

    /// Whether a stream is coloured.
    ///
    /// `--color` wins, then NO_COLOR, CLICOLOR_FORCE, TERM=dumb, and the terminal.
    package func isOn(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: return true
        case .never: return false
        case .auto:
            if let value = environment["NO_COLOR"], !value.isEmpty { return false }
            if let value = environment["CLICOLOR_FORCE"], !value.isEmpty, value != "0" { return true }
            return isTerminal && environment["TERM"] != "dumb"
        }
    }
}

/// Text as a terminal may be given it.
enum TerminalText {
    /// The text with control and direction characters shown as `\u{…}`, but for line feeds, tabs and our own styles.
    ///
    /// Names and messages come from other programs; none of them may move the cursor or hide a word.
    static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isRefused) else { return text }
        var result = ""
        var rest = text[...]
        while let scalar = rest.unicodeScalars.first {
            if scalar == "\u{1B}",
                let style = styles.first(where: { rest.unicodeScalars.starts(with: $0.unicodeScalars) })
            {
                result += style
                rest.unicodeScalars.removeFirst(style.unicodeScalars.count)
                continue
            }
            if isRefused(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
            rest.unicodeScalars.removeFirst()
        }
        return result
    }

    private static let styles = TextStyle.allCases.map(\.start) + [TextStyle.end]

    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
