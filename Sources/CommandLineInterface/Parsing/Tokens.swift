import Basics

/// A command line taken apart: which options stand where, and which words are left.
struct Tokens {
    struct Occurrence {
        let name: String
        /// The value; empty for a flag.
        let value: String
    }

    private(set) var occurrences: [Occurrence] = []
    /// Options that the program does not know, in order.
    private(set) var unknown: [String] = []
    /// The words before `--`: they may name a command.
    private(set) var words: [String] = []
    /// The words after `--`: arguments, whatever they look like.
    private(set) var literalWords: [String] = []

    private let options: [Option]
    private let program: Program

    init(_ arguments: [String], options: [Option], of program: Program) throws(Fault) {
        self.options = options
        self.program = program
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                literalWords = Array(rest)
                return
            } else if Self.isThumbprint(argument) {
                words.append(argument)
            } else if argument.hasPrefix("--") {
                try takeLong(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-" {
                try takeShort(argument, &rest)
            } else {
                words.append(argument)
            }
        }
    }

    /// Whether it is the SHA-256 of a key in base64url (RFC 7638 §3.1). One in 64 begins with a hyphen, and no option is
    /// that long.
    private static func isThumbprint(_ argument: String) -> Bool {
        argument.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil
    }

    func contains(_ name: String) -> Bool { occurrences.contains { $0.name == name } }

    private mutating func takeLong(_ argument: String, _ rest: inout ArraySlice<String>) throws(Fault) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else {
            unknown.append(name)
            return
        }
        try take(option, inlineValue: parts.count == 2 ? String(parts[1]) : nil, &rest)
    }

    private mutating func takeShort(_ argument: String, _ rest: inout ArraySlice<String>) throws(Fault) {
        for letter in argument.dropFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                unknown.append("-\(letter)")
                return
            }
            try take(option, inlineValue: nil, &rest)
        }
    }

    private mutating func take(
        _ option: Option, inlineValue: String?, _ rest: inout ArraySlice<String>
    ) throws(Fault) {
        if option.isFlag {
            guard inlineValue == nil else {
                throw Fault(
                    .invalidValue, "\(option.name): it is a flag, and takes no value.", next: "\(program.name) help")
            }
            occurrences.append(Occurrence(name: option.name, value: ""))
            return
        }
        if let inlineValue {
            occurrences.append(Occurrence(name: option.name, value: inlineValue))
            return
        }
        // What looks like an option is not taken for a value: a forgotten value would swallow it.
        guard let next = rest.first, !next.hasPrefix("-") || next == "-" else {
            let hint = rest.first.map { " If “\($0)” is the value, write \(option.name)=VALUE." } ?? ""
            throw Fault(
                .missingValue, "\(option.name): its value \(option.placeholder ?? "") is missing.\(hint)",
                next: "\(program.name) help")
        }
        rest.removeFirst()
        occurrences.append(Occurrence(name: option.name, value: next))
    }
}
