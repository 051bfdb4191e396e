extension Program {
    /// What is wrong with the table itself, in words; each program's tests ask for an empty list.
    package var tableMistakes: [String] {
        var mistakes: [String] = []
        for (index, command) in commands.enumerated() {
            if commands[..<index].contains(where: { $0.path == command.path }) {
                mistakes.append("“\(command.name)” stands twice")
            }
            mistakes += rowMistakes(command)
        }
        for option in options where options.count(where: { $0.name == option.name }) > 1 {
            mistakes.append("\(option.name) stands twice among the program's options")
        }
        return mistakes + shapeMistakes
    }

    private func rowMistakes(_ command: Command) -> [String] {
        var mistakes: [String] = []
        let place = "“\(line(command.path))”"
        if !command.isHidden, command.examples.isEmpty { mistakes.append("\(place) has no example") }
        for example in command.examples where !example.line.contains(name) {
            mistakes.append("\(place) has an example that does not call \(name)")
        }
        for option in command.options {
            if options.contains(where: { $0.name == option.name }) {
                mistakes.append("\(place) repeats the common option \(option.name)")
            }
            if command.options.count(where: { $0.name == option.name }) > 1 {
                mistakes.append("\(place) has \(option.name) twice")
            }
            if option.name.wholeMatch(of: /--[a-z0-9]+(-[a-z0-9]+)*/) == nil {
                mistakes.append("\(option.name) is not in kebab-case after two dashes")
            }
        }
        for (index, positional) in command.positionals.enumerated() {
            let isLast = index == command.positionals.count - 1
            if positional.takesMany, !isLast { mistakes.append("\(place) takes more after \(positional.usage)") }
            if positional.minimum == 1, index > 0, command.positionals[index - 1].minimum == 0 {
                mistakes.append("\(place) wants \(positional.name) after one that may be missing")
            }
        }
        return mistakes
    }

    /// An option before the command can be read only if its name has one shape in the whole program.
    private var shapeMistakes: [String] {
        var mistakes: [String] = []
        var shapes: [String: Bool] = [:]
        for option in options + commands.flatMap(\.options) {
            if let isFlag = shapes[option.name], isFlag != option.isFlag {
                mistakes.append("\(option.name) is a flag in one command and takes a value in another")
            }
            shapes[option.name] = option.isFlag
        }
        return mistakes
    }
}
