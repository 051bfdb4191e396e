/// Puts text into lines and columns.
enum TextLayout {
    static let width = 80

    /// The text in lines no longer than the width, each after an indent; line feeds and indented lines stay.
    static func wrapped(_ text: String, indent: Int = 0, width: Int = width) -> String {
        let pad = String(repeating: " ", count: indent)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.hasPrefix(" ") ? [String(line)] : filled(line, width: width - indent)
        }
        return lines.map { $0.isEmpty ? "" : pad + $0 }.joined(separator: "\n")
    }

    private static func filled(_ line: Substring, width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for word in line.split(separator: " ") {
            if !current.isEmpty, current.count + 1 + word.count > width {
                lines.append(current)
                current = ""
            }
            current += current.isEmpty ? String(word) : " \(word)"
        }
        return lines + [current]
    }

    /// Names with their meanings, in two columns.
    static func rows(_ rows: [(String, String)], indent: Int = 2) -> String {
        let nameWidth = min(rows.map(\.0.count).max() ?? 0, 28)
        let column = indent + nameWidth + 2
        let pad = String(repeating: " ", count: indent)
        return rows.map { name, meaning in
            let text = wrapped(meaning, indent: column)
            guard name.count <= nameWidth, !meaning.isEmpty else {
                return meaning.isEmpty ? pad + name : "\(pad)\(name)\n\(text)"
            }
            return pad + padded(name, nameWidth + 2) + text.dropFirst(column)
        }.joined(separator: "\n")
    }

    /// Rows of cells, each column as wide as its widest cell.
    static func table(_ rows: [[String]]) -> String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? visibleCount($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : padded(cell, widths[index] + 2)
            }.joined()
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - visibleCount(text)))
    }

    /// How many characters of a cell take room: styles take none.
    private static func visibleCount(_ text: String) -> Int { text.replacing(/\u{1B}\[[0-9]+m/, with: "").count }
}
