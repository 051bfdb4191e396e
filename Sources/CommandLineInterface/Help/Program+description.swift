package import Basics

extension Program {
    /// The table as JSON, from a place on: what `help --json` prints, for programs that call this one.
    package func description(at path: [String] = []) -> JSONValue {
        let shown = visibleCommands.filter { $0.path.starts(with: path) }
        return [
            "name": .string(name),
            "summary": .string(summary),
            "options": .array(options.map(\.description)),
            "commands": .array(shown.map { $0.description(usage: usageLine($0)) }),
            "topics": .array(topics.map { ["name": .string($0.name), "summary": .string($0.summary)] }),
        ]
    }
}

extension Command {
    fileprivate func description(usage: String) -> JSONValue {
        [
            "path": .array(path.map(JSONValue.string)),
            "summary": .string(summary),
            "usage": .string(usage),
            "examples": .array(examples.map { ["line": .string($0.line), "meaning": .string($0.meaning)] }),
            "arguments": .array(positionals.map(\.description)),
            "options": .array(options.map(\.description)),
        ]
    }
}

extension Positional {
    fileprivate var description: JSONValue {
        [
            "name": .string(name), "help": .string(help), "values": .array(values.words.map(JSONValue.string)),
            "required": .bool(minimum > 0), "repeats": .bool(takesMany),
        ]
    }
}

extension Option {
    fileprivate var description: JSONValue {
        [
            "name": .string(name), "short": short.map { .string(String($0)) } ?? .null,
            "value": placeholder.map(JSONValue.string) ?? .null, "help": .string(help),
            "values": .array(values.words.map(JSONValue.string)), "repeats": .bool(repeats),
        ]
    }
}
