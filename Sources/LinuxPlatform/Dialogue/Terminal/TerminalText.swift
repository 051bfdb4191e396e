/// How lines look on a terminal.
struct TerminalText {
    let width: Int
    let usesColour: Bool

    func strong(_ text: String) -> String { usesColour ? "\u{1B}[1m\(text)\u{1B}[22m" : text }

    func faint(_ text: String) -> String { usesColour ? "\u{1B}[2m\(text)\u{1B}[22m" : text }

    /// The beginning of a text that fits into the width; a longer line would break the count of lines to redraw.
    func cut(_ text: String, margin: Int) -> String {
        var room = width - margin
        var result = ""
        for character in text {
            let columns = TerminalText.columns(of: character)
            if room - columns < 1 { return result + "…" }
            room -= columns
            result.append(character)
        }
        return result
    }

    /// The end of a text that fits.
    func cutFront(_ text: String, margin: Int) -> String {
        var room = width - margin
        var result: [Character] = []
        for character in text.reversed() {
            room -= TerminalText.columns(of: character)
            if room < 1 { break }
            result.append(character)
        }
        return String(result.reversed())
    }

    /// East Asian and picture characters take two columns on every terminal that shows them.
    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return scalar.value >= 0x1100 && scalar.properties.isEmojiPresentation
            || (0x1100...0x115F).contains(scalar.value)
            || (0x2E80...0xD7A3).contains(scalar.value) || (0xF900...0xFAFF).contains(scalar.value)
            || (0xFE30...0xFE6F).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
            || scalar.value >= 0x20000 ? 2 : 1
    }
}
