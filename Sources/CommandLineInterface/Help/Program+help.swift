import Basics

extension Program {
    /// The help for a place in the table: a command, the words that several share, or the whole program.
    package func help(path: [String] = []) -> String {
        let sections: [String?] =
            if path.isEmpty {
                programSections
            } else if let command = command(at: path) {
                commandSections(command)
            } else {
                groupSections(path)
            }
        return sections.compactMap(\.self).joined(separator: "\n\n")
    }

    private var programSections: [String?] {
        let bare = command(at: [])
        let usage = (bare == nil ? [] : ["  \(name) [options]"]) + ["  \(name) COMMAND [options]"]
        return [
            TextLayout.wrapped("\(name): \(summary)"),
            examples(visibleCommands.compactMap(\.examples.first)),
            "Usage:\n" + usage.joined(separator: "\n"),
            "Commands:\n" + TextLayout.rows(ownRows(below: [])),
            options("Options of “\(name)” alone:", bare?.options ?? []),
            options("Options of every command:", options),
            topics.isEmpty ? nil : "More, with “\(name) help TOPIC”:\n" + TextLayout.rows(topicRows),
        ]
    }

    private func groupSections(_ path: [String]) -> [String?] {
        [
            examples(commands(below: path).compactMap(\.examples.first)),
            "Usage:\n  \(line(path)) COMMAND [options]",
            "Commands:\n" + TextLayout.rows(ownRows(below: path)),
        ]
    }

    private func commandSections(_ command: Command) -> [String?] {
        let below = ownRows(below: command.path)
        return [
            TextLayout.wrapped("\(line(command.path)): \(command.summary)"),
            examples(command.examples),
            "Usage:\n  " + usageLine(command),
            command.details.map { TextLayout.wrapped($0) },
            command.positionals.isEmpty
                ? nil : "Arguments:\n" + TextLayout.rows(command.positionals.map { ($0.usage, $0.help) }),
            below.isEmpty ? nil : "Commands:\n" + TextLayout.rows(below),
            options("Options:", command.options),
            options("Options of every command:", options),
        ]
    }

    /// How a command is called.
    func usageLine(_ command: Command) -> String {
        ([line(command.path)] + (command.options.isEmpty ? [] : ["[options]"]) + command.positionals.map(\.usage))
            .joined(separator: " ")
    }

    private func ownRows(below path: [String]) -> [(String, String)] {
        commands(below: path).map { ($0.path.dropFirst(path.count).joined(separator: " "), $0.summary) }
    }

    private var topicRows: [(String, String)] {
        (topics.map { ($0.name, $0.summary) }) + [("man", "this program's manual page, for man -l -")]
    }

    private func examples(_ examples: [Command.Example]) -> String? {
        guard !examples.isEmpty else { return nil }
        let lines = examples.prefix(8).flatMap { example in
            ["  " + example.line] + (example.meaning.isEmpty ? [] : [TextLayout.wrapped(example.meaning, indent: 6)])
        }
        return "Examples:\n" + lines.joined(separator: "\n")
    }

    private func options(_ title: String, _ options: [Option]) -> String? {
        options.isEmpty ? nil : "\(title)\n" + TextLayout.rows(options.map { ($0.usage, $0.meaning) })
    }
}
