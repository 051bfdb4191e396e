/// A page of `help TOPIC` that belongs to no command.
package struct HelpTopic: Sendable {
    package let name: String
    package let summary: String
    package let text: String

    package init(_ name: String, _ summary: String, text: String) {
        self.name = name
        self.summary = summary
        self.text = text
    }

    /// A topic that is a list of names with their meanings.
    package init(_ name: String, _ summary: String, rows: [(name: String, meaning: String)]) {
        self.init(name, summary, text: TextLayout.rows(rows.map { ($0.name, $0.meaning) }))
    }

    /// The exit codes, from their table.
    package static let exitCodes = HelpTopic(
        "exit-codes", "what the exit codes mean",
        rows: ExitStatus.all.map { (String($0.status.code), $0.meaning) })

    /// The environment variables that every program reads, and those of one program.
    package static func environment(_ own: [(name: String, meaning: String)] = []) -> HelpTopic {
        HelpTopic("environment", "the environment variables that are read", rows: commonVariables + own)
    }

    private static let commonVariables = [
        (name: "COUNTERSIGN_HOME", meaning: "The device to work in, where --home is not given."),
        (name: "XDG_STATE_HOME", meaning: "Where the default home lies; ~/.local/state unless set."),
        (name: "XDG_RUNTIME_DIR", meaning: "Where the sockets of a home lie."),
        (name: "NO_COLOR", meaning: "Set to anything: no colours, unless --color says otherwise."),
        (name: "CLICOLOR_FORCE", meaning: "Set to anything but 0: colours also where no terminal is."),
        (name: "TERM", meaning: "dumb: no colours."),
    ]

    /// The files that the programs keep.
    package static func files(_ rows: [(name: String, meaning: String)]) -> HelpTopic {
        HelpTopic("files", "the files of a home", rows: rows)
    }
}
