import Basics
import Platform

/// Asks one question line by line, with numbers for the choices: for terminals that cannot move their cursor.
struct PlainPrompt {
    let question: Question
    let session: TerminalSession
    let input: Int32

    /// Asks, and returns the choice and what was typed.
    func run() async throws -> (choice: String, fields: [String: String]) {
        var typed: [String: String] = [:]
        for field in question.fields {
            let known = field.isSecret || field.value.isEmpty ? "" : " [\(field.value)]"
            session.write("\(field.label)\(known): ")
            let line = try await line(hidden: field.isSecret)
            typed[field.name] = line.isEmpty && !field.isSecret ? field.value : line
        }
        let possible = question.choices.filter { $0.disabledReason == nil }
        if !question.fields.isEmpty, question.choices.count == 1, let only = possible.first { return (only.id, typed) }
        return (try await choose(), typed)
    }

    private func line(hidden: Bool) async throws -> String {
        let mode = try TerminalMode(hidden ? .hiddenLines : .lines, of: input)
        defer { mode.restore() }
        guard let line = try await session.nextLine() else { throw Cancellation(by: .user) }
        if hidden { session.write("\n") }
        return line
    }

    private func choose() async throws -> String {
        let menu = TerminalMenu(question.choices)
        for (number, line) in menu.lines.enumerated() { session.write("  \(number + 1)  \(line.text)\n") }
        while true {
            session.write("Number [\(menu.marked + 1)]: ")
            let line = try await line(hidden: false).filter { !$0.isWhitespace }
            guard let number = line.isEmpty ? menu.marked + 1 : Int(line), (1...menu.lines.count).contains(number)
            else {
                session.write("Type one of the numbers.\n")
                continue
            }
            guard number <= question.choices.count else { throw Cancellation(by: .user) }
            let choice = question.choices[number - 1]
            guard let reason = choice.disabledReason else { return choice.id }
            session.write("Not now: \(reason)\n")
        }
    }
}
