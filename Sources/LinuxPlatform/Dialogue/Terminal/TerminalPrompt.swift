import Basics
import Platform

/// Asks one question at a terminal that can move its cursor: arrow keys for choices, lines for fields.
struct TerminalPrompt {
    let question: Question
    let session: TerminalSession
    let look: TerminalText

    /// Asks, and returns the choice and what was typed.
    func run() async throws -> (choice: String, fields: [String: String]) {
        var typed: [String: String] = [:]
        for field in question.fields { typed[field.name] = try await ask(field) }
        // With something typed, one choice is no choice.
        let possible = question.choices.filter { $0.disabledReason == nil }
        if !question.fields.isEmpty, question.choices.count == 1, let only = possible.first { return (only.id, typed) }
        return (try await choose(), typed)
    }

    private func ask(_ field: Question.Field) async throws -> String {
        var line = TerminalLine(field)
        while true {
            session.write("\r\u{1B}[K" + look.cutFront(line.shown, margin: 1))
            switch line.receive(try await session.nextKey()) {
            case .waits: continue
            case .done:
                session.write("\r\n")
                return line.text
            case .cancelled:
                session.write("\r\n")
                throw Cancellation(by: .user)
            }
        }
    }

    private func choose() async throws -> String {
        var menu = TerminalMenu(question.choices)
        while true {
            let lines = draw(menu)
            session.write(lines.joined(separator: "\r\n"))
            let outcome = menu.receive(try await session.nextKey())
            session.write("\r\u{1B}[\(lines.count - 1)A\u{1B}[J")
            switch outcome {
            case .waits: continue
            case .chosen(let id):
                let title = question.choices.first { $0.id == id }?.title ?? id
                session.write("> \(look.cut(title, margin: 2))\r\n")
                return id
            case .cancelled: throw Cancellation(by: .user)
            }
        }
    }

    private func draw(_ menu: TerminalMenu) -> [String] {
        let choices = menu.lines.map { line in
            let text = (line.isMarked ? "> " : "  ") + look.cut(line.text, margin: 2)
            return line.isMarked ? look.strong(text) : line.isDisabled ? look.faint(text) : text
        }
        let hint = menu.remark ?? "Arrow keys and Return; Escape cancels."
        return choices + [look.faint(look.cut(hint, margin: 0))]
    }
}
