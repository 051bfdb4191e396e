/// One row of the command table.
package struct Command: Sendable {
    /// A line that works as it stands, and what it does.
    package struct Example: Sendable {
        package let line: String
        package let meaning: String

        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The words that name it: `["apps", "add"]`; none for what the program does without a command.
    package let path: [String]
    /// What it does, in a few words without a capital or a full stop.
    package let summary: String
    /// More about it, in whole sentences.
    package let details: String?
    package let examples: [Example]
    package let positionals: [Positional]
    package let options: [Option]
    /// Whether help and completion leave it out: for what programs, not people, start.
    package let isHidden: Bool
    /// What it does.
    ///
    /// The status is for endings that are no error; what fails throws.
    package let run: @Sendable (Invocation) async throws -> ExitStatus

    /// Makes a row; `path` has the words with one space between them.
    package init(
        _ path: String, _ summary: String, details: String? = nil, examples: [Example] = [],
        positionals: [Positional] = [], options: [Option] = [], isHidden: Bool = false,
        run: @escaping @Sendable (Invocation) async throws -> ExitStatus
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.details = details
        self.examples = examples
        self.positionals = positionals
        self.options = options
        self.isHidden = isHidden
        self.run = run
    }

    /// The words that name it, as one text.
    package var name: String { path.joined(separator: " ") }
}
