import Platform

/// One line of text that is being typed.
struct TerminalLine {
    enum Outcome: Equatable {
        case waits
        case done
        case cancelled
    }

    private static let longest = 1_024

    let label: String
    let isSecret: Bool
    private(set) var text: String

    init(_ field: Question.Field) {
        label = field.label
        isSecret = field.isSecret
        text = field.isSecret ? "" : field.value
    }

    /// Takes a key.
    mutating func receive(_ key: TerminalKey) -> Outcome {
        switch key {
        case .text(let more): if text.utf8.count < TerminalLine.longest { text += more }
        case .backspace: if !text.isEmpty { text.removeLast() }
        case .clear: text = ""
        case .enter: return .done
        case .escape: return .cancelled
        case .endOfInput: return text.isEmpty ? .cancelled : .waits
        case .up, .down: break
        }
        return .waits
    }

    /// What stands on the screen: nothing of a secret, its length included.
    var shown: String { isSecret ? "\(label) (hidden): " : "\(label): \(text)" }
}
