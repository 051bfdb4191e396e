/// The words of a text in lines no longer than that; a longer word has a line of its own.
func wrappedLines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
        if !current.isEmpty, current.count + 1 + word.count > width {
            lines.append(current)
            current = ""
        }
        current += current.isEmpty ? String(word) : " \(word)"
    }
    return lines + [current]
}
