/// What the three scripts need of a program's table.
struct CompletionTable {
    /// A place in the table and what may follow it.
    struct Place {
        /// The words so far, with one space between them.
        let path: String
        let words: [(word: String, summary: String)]
        let options: [Option]
        /// What the first argument may be.
        let argument: Option.Values?
    }

    let program: String
    /// The name of the shell function.
    let function: String
    let places: [Place]
    let commonOptions: [Option]

    init(_ program: Program) {
        self.program = program.name
        function = "_" + program.name.replacing("-", with: "_")
        commonOptions = program.options
        places = program.places.map { path in
            let command = program.command(at: path)
            return Place(
                path: path.joined(separator: " "), words: program.words(after: path), options: command?.options ?? [],
                argument: command?.positionals.first?.values)
        }
    }

    /// The names of all options that take a value: the word after them is never a command.
    var valueOptions: [String] {
        var names: [String] = []
        for option in commonOptions + places.flatMap(\.options) where !option.isFlag {
            for name in [option.name] + (option.short.map { ["-\($0)"] } ?? []) where !names.contains(name) {
                names.append(name)
            }
        }
        return names
    }

    /// The paths of all places but the root.
    var paths: [String] { places.map(\.path).filter { !$0.isEmpty } }

    /// Each option with a value, with the pattern of `PLACE OPTION` where it holds; a place's own come first.
    var valuePatterns: [(pattern: String, values: Option.Values)] {
        let own = places.flatMap { place in
            place.options.filter { !$0.isFlag }.map { ("\"\(place.path) \($0.name)\"", $0.values) }
        }
        return own + commonOptions.filter { !$0.isFlag }.map { ("*\" \($0.name)\"", $0.values) }
    }

    /// The text in single quotes, as all three shells read it.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
