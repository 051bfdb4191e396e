import Basics

extension Option.Values {
    /// Why a value is not taken, or nil where it is.
    func objection(to value: String) -> String? {
        switch self {
        case .any, .suggested, .listed: nil
        case .file, .directory: value.isEmpty ? "the path is empty." : nil
        case .duration:
            Duration(text: value) == nil ? "“\(value)” is no time; write 90s, 2h, 5m or 500ms." : nil
        case .number: UInt64(wholeNumber: value) == nil ? "“\(value)” is no whole number." : nil
        case .oneOf(let words): words.contains(value) ? nil : objection(to: value, words: words)
        }
    }

    private func objection(to value: String, words: [String]) -> String {
        let hint = NearestName.of(value, among: words).map { " The nearest is “\($0)”." } ?? ""
        return "“\(value)” is none of \(words.joined(separator: ", ")).\(hint)"
    }

    /// The command whose lines completion offers, where there is one.
    var lister: String? { if case .listed(_, let command) = self { command } else { nil } }

    /// What completion can offer, whatever there is.
    var words: [String] {
        switch self {
        case .oneOf(let words), .suggested(let words), .listed(let words, _): words
        case .any, .file, .directory, .duration, .number: []
        }
    }
}

extension UInt64 {
    /// Reads a whole number: digits, nothing else.
    init?(wholeNumber text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text)
    }
}
