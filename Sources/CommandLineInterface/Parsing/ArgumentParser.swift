import Basics

/// What a command line asks for.
enum Request: Sendable {
    case run(Command, ParsedArguments)
    case help(path: [String])
    case version
}

/// The options and arguments of one command line, checked against the table.
struct ParsedArguments: Sendable {
    /// The values of each option that stands, in order; a flag has an empty text for each time.
    var options: [String: [String]] = [:]
    /// The values of each argument, in order.
    var positionals: [String: [String]] = [:]
}

/// Reads a command line by the table.
///
/// `--flag value` and `--flag=value` are the same, options may stand anywhere, `--` ends them. Nothing is abbreviated
/// and nothing is guessed: a refusal names the nearest name instead.
struct ArgumentParser {
    let program: Program

    func parse(_ arguments: [String]) throws(Fault) -> Request {
        let tokens = try Tokens(arguments, options: program.options + program.commands.flatMap(\.options), of: program)
        let resolution = resolve(tokens.words)
        if tokens.contains("--help") { return .help(path: resolution.path) }
        if tokens.contains("--version") { return .version }
        let command = try command(for: resolution, tokens)
        try refuseForeignOptions(tokens, command)
        var parsed = ParsedArguments()
        parsed.options = try optionValues(tokens, command)
        parsed.positionals = try positionalValues(resolution.rest + tokens.literalWords, command)
        try refuseSecondStandardInput(parsed)
        return .run(command, parsed)
    }

    /// The longest path that the table knows, and the words after it.
    private struct Resolution {
        var path: [String] = []
        var rest: [String] = []
    }

    private func resolve(_ words: [String]) -> Resolution {
        var path: [String] = []
        for word in words {
            guard program.commands.contains(where: { $0.path.starts(with: path + [word]) }) else { break }
            path.append(word)
        }
        return Resolution(path: path, rest: Array(words.dropFirst(path.count)))
    }

    private func command(for resolution: Resolution, _ tokens: Tokens) throws(Fault) -> Command {
        let known = program.words(after: resolution.path).map(\.word)
        let place = program.line(resolution.path)
        if let command = program.command(at: resolution.path) {
            // A word that a command takes no argument for is a mistyped command, where there are commands to mistype.
            guard command.positionals.isEmpty, !known.isEmpty, let word = resolution.rest.first else { return command }
            throw unknownCommand(word, at: resolution.path, known: known)
        }
        if let word = resolution.rest.first { throw unknownCommand(word, at: resolution.path, known: known) }
        throw Fault(
            .unknownCommand, "\(place): a command is missing: \(known.joined(separator: ", ")).",
            next: program.line(["help"] + resolution.path))
    }

    private func unknownCommand(_ word: String, at path: [String], known: [String]) -> Fault {
        let hint =
            NearestName.of(word, among: known).map { "the nearest is “\(program.line(path + [$0]))”." }
            ?? "there are \(known.joined(separator: ", "))."
        return Fault(
            .unknownCommand, "“\(program.line(path))” has no command “\(word)”: \(hint)",
            next: program.line(["help"] + path))
    }

    private func refuseForeignOptions(_ tokens: Tokens, _ command: Command) throws(Fault) {
        let known = program.options + command.options
        if let name = tokens.unknown.first {
            let names = known.map(\.name)
            let hint = NearestName.of(name, among: names).map { "the nearest is \($0)." } ?? "help lists those it has."
            throw refusal(.unknownOption, command, "“\(program.line(command.path))” has no option \(name): \(hint)")
        }
        for occurrence in tokens.occurrences where !known.contains(where: { $0.name == occurrence.name }) {
            let owners = program.visibleCommands.filter { $0.options.contains { $0.name == occurrence.name } }
            let hint =
                owners.isEmpty
                ? "help lists those it has."
                : "it belongs to \(owners.map { "“\($0.name)”" }.joined(separator: ", "))."
            throw refusal(
                .unknownOption, command, "“\(program.line(command.path))” has no option \(occurrence.name): \(hint)")
        }
    }

    private func optionValues(_ tokens: Tokens, _ command: Command) throws(Fault) -> [String: [String]] {
        var values: [String: [String]] = [:]
        for option in program.options + command.options {
            let given = tokens.occurrences.filter { $0.name == option.name }
            guard !given.isEmpty else { continue }
            guard given.count == 1 || option.repeats else {
                throw refusal(.repeatedOption, command, "\(option.name): it stands \(given.count) times, and may once.")
            }
            for occurrence in given where !option.isFlag {
                if let why = option.values.objection(to: occurrence.value) {
                    throw refusal(.invalidValue, command, "\(option.name): \(why)")
                }
            }
            values[option.name] = given.map(\.value)
        }
        return values
    }

    private func positionalValues(_ words: [String], _ command: Command) throws(Fault) -> [String: [String]] {
        var values: [String: [String]] = [:]
        var rest = words[...]
        for positional in command.positionals {
            let taken = rest.prefix(positional.takesMany ? rest.count : 1)
            rest = rest.dropFirst(taken.count)
            guard taken.count >= positional.minimum else {
                throw refusal(
                    .missingArgument, command,
                    "“\(program.line(command.path))” needs \(positional.name): \(positional.help).")
            }
            for word in taken {
                if let why = positional.values.objection(to: word) {
                    throw refusal(.invalidValue, command, "\(positional.name): \(why)")
                }
            }
            values[positional.name] = Array(taken)
        }
        guard let surplus = rest.first else { return values }
        throw refusal(.surplusArgument, command, "“\(program.line(command.path))” does not take “\(surplus)”.")
    }

    private func refuseSecondStandardInput(_ parsed: ParsedArguments) throws(Fault) {
        let values = parsed.options.values.joined().map(\.self) + parsed.positionals.values.joined()
        guard values.count(where: { $0 == "-" }) > 1 else { return }
        throw Fault(
            .repeatedOption, "-: standard input can be read once, and it is asked for twice.",
            next: "Put one of the two into a file.")
    }

    private func refusal(_ code: ErrorCode, _ command: Command, _ text: String) -> Fault {
        Fault(code, text, next: program.line(["help"] + command.path))
    }
}
