import Basics

extension Program {
    /// `help`, which every program has.
    var helpCommand: Command {
        let program = self
        return Command(
            "help", "show help for a command or a topic",
            examples: [.init("\(name) help exit-codes", "what the exit codes mean")],
            positionals: [
                Positional(
                    "TOPIC", .optionalRepeated, values: .suggested(helpWords), "the words of a command, or a topic")
            ]
        ) { invocation in
            try program.showHelp(invocation.arguments("TOPIC"), invocation.output)
            return .done
        }
    }

    private var helpWords: [String] { topics.map(\.name) + ["man"] + ownWords }

    /// The first words of the program's own commands.
    ///
    /// Not `words(after:)`, which would ask for this command again.
    private var ownWords: [String] {
        ownCommands.filter { !$0.isHidden }.compactMap(\.path.first).reduce(into: []) { words, word in
            if !words.contains(word) { words.append(word) }
        }
    }

    private func showHelp(_ words: [String], _ output: Output) throws(Fault) {
        if let topic = topics.first(where: { [$0.name] == words }) {
            output.result(["topic": .string(topic.name), "text": .string(topic.text)], text: topic.text)
        } else if words == ["man"] {
            let page = manPage()
            output.result(["topic": "man", "text": .string(page)], text: page)
        } else if words.isEmpty || command(at: words) != nil || !commands(below: words).isEmpty {
            output.result(["help": description(at: words)], text: help(path: words))
        } else {
            let candidates = topics.map(\.name) + ["man"] + visibleCommands.map(\.name)
            let asked = words.joined(separator: " ")
            let hint =
                NearestName.of(asked, among: candidates).map { "the nearest is “\($0)”." }
                ?? "topics are \((topics.map(\.name) + ["man"]).joined(separator: ", "))."
            throw Fault(.unknownCommand, "there is no help on “\(asked)”: \(hint)", next: "\(name) help")
        }
    }
}
