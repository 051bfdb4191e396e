/// Foreign text on its way to a person: it must not move the cursor, hide, or change the order of the words around it.
enum DisplayText {
    /// The text on one line, without control, invisible and direction-changing characters, and not too long.
    static func clean(_ text: String, limit: Int = 400) -> String {
        var scalars = String.UnicodeScalarView()
        var lastWasSpace = false
        for scalar in text.unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            if isSpace {
                if !lastWasSpace { scalars.append(" ") }
            } else if isShown(scalar) {
                scalars.append(scalar)
            }
            lastWasSpace = isSpace
        }
        let cleaned = String(scalars)
        return cleaned.count > limit ? cleaned.prefix(limit) + "…" : cleaned
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        // Format characters change directions or hide; the joiners alone belong to words and pictures.
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }
}
