/// A program as a table of commands.
///
/// Help, completion, the manual page and parsing are all made from it.
package struct Program: Sendable {
    package let name: String
    /// What it is, in a few words without a capital or a full stop.
    package let summary: String
    package let version: String
    /// What `--version --json` adds: the protocol's version, the libraries'.
    package let versionDetails: [(name: String, value: String)]
    /// What every command takes: the common options, then the program's own.
    package let options: [Option]
    package let topics: [HelpTopic]
    /// The program's own commands; `completion` and `help` are added to every program.
    package let ownCommands: [Command]

    package init(
        name: String, summary: String, version: String, versionDetails: [(name: String, value: String)] = [],
        options: [Option] = [], topics: [HelpTopic] = [.exitCodes, .environment()], commands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.versionDetails = versionDetails
        self.options = .common + options
        self.topics = topics
        self.ownCommands = commands
    }

    /// All commands, in the order of help.
    package var commands: [Command] { ownCommands + [completionCommand, helpCommand] }

    /// The commands that help and completion show.
    var visibleCommands: [Command] { commands.filter { !$0.isHidden } }

    /// The command with exactly these words.
    func command(at path: [String]) -> Command? { commands.first { $0.path == path } }

    /// The visible commands below a path, at any depth.
    func commands(below path: [String]) -> [Command] {
        visibleCommands.filter { $0.path.count > path.count && $0.path.starts(with: path) }
    }

    /// The words that may follow a path, each once, in the order of the table.
    func words(after path: [String]) -> [(word: String, summary: String)] {
        var found: [(word: String, summary: String)] = []
        for command in commands(below: path) {
            let word = command.path[path.count]
            guard !found.contains(where: { $0.word == word }) else { continue }
            let below = commands(below: path + [word]).map { $0.path[path.count + 1] }
            let own = self.command(at: path + [word])?.summary
            found.append((word, own ?? below.joined(separator: ", ")))
        }
        return found
    }

    /// Every path at which something can follow or run, the root included.
    var places: [[String]] {
        var places: [[String]] = [[]]
        for command in visibleCommands {
            for length in 0..<command.path.count {
                let place = Array(command.path.prefix(length + 1))
                if !places.contains(place) { places.append(place) }
            }
        }
        return places
    }

    /// The program's name and the words after it.
    func line(_ path: [String]) -> String { ([name] + path).joined(separator: " ") }
}
