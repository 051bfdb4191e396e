/// One option in the command table: a flag, or a name that takes a value.
package struct Option: Sendable {
    /// What an option's value, or an argument, may be.
    package enum Values: Hashable, Sendable {
        case any
        /// One of these, and nothing else.
        case oneOf([String])
        /// Anything; completion offers these.
        case suggested([String])
        /// Anything; completion offers these, and each line that this command of the program prints at that moment.
        case listed([String] = [], by: String)
        case file
        case directory
        /// A number with a unit: `90s`, `2h`, `500ms`, `5m`, `1d`.
        case duration
        /// A whole number that is not negative.
        case number
    }

    /// The long name, with its two dashes.
    package let name: String
    /// The short name: one letter, for the frequent few.
    package let short: Character?
    /// What stands for the value in help; nil for a flag.
    package let placeholder: String?
    /// What it is for, without the values of a list: help adds those.
    package let help: String
    package let values: Values
    /// Whether it may stand more than once.
    package let repeats: Bool

    /// A flag.
    package init(_ name: String, short: Character? = nil, repeats: Bool = false, _ help: String) {
        self.init(name: name, short: short, placeholder: nil, help: help, values: .any, repeats: repeats)
    }

    /// An option with a value.
    package init(
        _ name: String, short: Character? = nil, _ placeholder: String, values: Values = .any, repeats: Bool = false,
        _ help: String
    ) {
        self.init(name: name, short: short, placeholder: placeholder, help: help, values: values, repeats: repeats)
    }

    private init(
        name: String, short: Character?, placeholder: String?, help: String, values: Values, repeats: Bool
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.help = help
        self.values = values
        self.repeats = repeats
    }

    package var isFlag: Bool { placeholder == nil }

    /// Whether the value is the path of a file that holds a secret; such names end in `-file`.
    package var namesSecretFile: Bool { name.hasSuffix("-file") }

    /// How help writes the option: `-v, --verbose` or `--home DIR`.
    var usage: String {
        let shortPart = short.map { "-\($0), " } ?? ""
        let valuePart = placeholder.map { " \($0)" } ?? ""
        return shortPart + name + valuePart + (repeats && !isFlag ? " …" : "")
    }

    /// What help says of the option: first the values that it may have, where there is a list of them.
    var meaning: String {
        guard case .oneOf(let words) = values, let last = words.last else { return help }
        let others = words.dropLast().joined(separator: ", ")
        return (others.isEmpty ? last : "\(others) or \(last)") + ": " + help
    }
}

extension [Option] {
    /// The options of every command of every program.
    package static let common: [Option] = [
        Option("--home", "DIR", values: .directory, "the device to work in, instead of $COUNTERSIGN_HOME"),
        Option(
            "--bus", "BUS", values: .suggested(["session", "private"]),
            "the bus to use: session, private, or an address"),
        Option("--json", "print one JSON object on standard output; ask only by a --prompt that is given"),
        Option("--quiet", "print results and errors only"),
        Option("--verbose", short: "v", repeats: true, "say more; twice for everything"),
        Option("--no-input", "fail instead of asking"),
        Option("--timeout", "TIME", values: .duration, "give up after this time: 90s, 2h, 500ms"),
        Option("--color", "WHEN", values: .oneOf(["auto", "always", "never"]), "when to colour"),
        Option("--help", short: "h", "show help, examples first"),
        Option("--version", "show the version"),
    ]
}
