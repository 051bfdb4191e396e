package import Basics

/// One call of a command: its options and arguments, checked, and where it reads and writes.
package struct Invocation: Sendable {
    /// The program's name, for a next step such as `countersign-idp users add`.
    package let programName: String
    package let command: Command
    /// The environment variables, as they were when the program began.
    package let environment: [String: String]
    package let output: Output
    package let input: any InputSource
    private let programOptions: [Option]
    private let parsed: ParsedArguments

    init(
        program: Program, command: Command, parsed: ParsedArguments, environment: [String: String], output: Output,
        input: any InputSource
    ) {
        programName = program.name
        self.command = command
        self.environment = environment
        self.output = output
        self.input = input
        programOptions = program.options
        self.parsed = parsed
    }

    /// Whether a flag stands.
    package func flag(_ name: String) -> Bool { !options(name).isEmpty }

    /// The value of an option that may stand once.
    package func option(_ name: String) -> String? { options(name).last }

    /// The values of an option, in order.
    package func options(_ name: String) -> [String] {
        // Asking for what the table does not declare is a slip of the command's author, seen in the first debug run.
        assert((programOptions + command.options).contains { $0.name == name }, "\(name) is not in the table")
        return parsed.options[name] ?? []
    }

    /// The value of an argument; nil where it may be missing and is.
    package func optionalArgument(_ name: String) -> String? { arguments(name).first }

    /// The value of a required argument.
    package func argument(_ name: String) throws(Fault) -> String {
        guard let value = arguments(name).first else { throw Fault(.missingArgument, "\(name) is missing.") }
        return value
    }

    /// The values of a repeated argument, in order.
    package func arguments(_ name: String) -> [String] {
        // As for options: an undeclared name is the author's slip.
        assert(command.positionals.contains { $0.name == name }, "\(name) is not in the table")
        return parsed.positionals[name] ?? []
    }

    /// Whether the command may ask the person: there is a terminal, and neither `--no-input` nor `--json` stands.
    package var mayAsk: Bool { !asksNobody && input.isTerminal }

    /// Whether nobody may be asked, in whatever way: `--no-input` says so, and `--json` does unless a way to ask is named
    /// beside it.
    package var asksNobody: Bool {
        if flag("--no-input") { return true }
        return flag("--json") && parsed.options["--prompt"] == nil
    }
}
