import Platform

/// The choices of a question as a list with a mark that moves. Cancelling is its last line.
struct TerminalMenu {
    enum Outcome: Equatable {
        case waits
        case chosen(String)
        case cancelled
    }

    let choices: [Question.Choice]
    private(set) var marked: Int
    /// Why the last choice was not taken.
    private(set) var remark: String?

    init(_ choices: [Question.Choice]) {
        self.choices = choices
        marked = choices.firstIndex { $0.disabledReason == nil } ?? choices.count
    }

    /// Takes a key.
    mutating func receive(_ key: TerminalKey) -> Outcome {
        remark = nil
        switch key {
        case .up, .text("k"): marked = (marked + choices.count) % (choices.count + 1)
        case .down, .text("j"): marked = (marked + 1) % (choices.count + 1)
        case .text(let text):
            if let number = Int(text), (1...choices.count + 1).contains(number) { marked = number - 1 }
        case .enter: return take()
        case .escape, .endOfInput: return .cancelled
        case .backspace, .clear: break
        }
        return .waits
    }

    private mutating func take() -> Outcome {
        guard marked < choices.count else { return .cancelled }
        guard let reason = choices[marked].disabledReason else { return .chosen(choices[marked].id) }
        remark = "Not now: \(reason)"
        return .waits
    }

    /// The lines to show.
    var lines: [(text: String, isMarked: Bool, isDisabled: Bool)] {
        choices.enumerated().map { index, choice in
            let extra = choice.disabledReason.map { " (not now: \($0))" } ?? choice.subtitle.map { "  \($0)" } ?? ""
            return (choice.title + extra, index == marked, choice.disabledReason != nil)
        } + [("Cancel", marked == choices.count, false)]
    }
}
