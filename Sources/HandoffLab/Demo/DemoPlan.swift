package import Basics

/// What one demonstration is to show.
package struct DemoPlan: Sendable {
    package var flow: HandoffKind
    /// Whether the person answers the questions, at the terminal.
    package var isInteractive: Bool
    /// Where the home stays afterwards; `nil`: a temporary folder that is removed.
    package var keptHome: String?
    /// How long everything may take.
    package var timeout: Duration

    package init(
        flow: HandoffKind = .clientInitiated, isInteractive: Bool = false, keptHome: String? = nil,
        timeout: Duration = .seconds(30)
    ) {
        self.flow = flow
        self.isInteractive = isInteractive
        self.keptHome = keptHome
        self.timeout = timeout
    }
}

/// How a demonstration ended.
package struct DemoResult: Sendable {
    /// How the login began.
    package var kind: HandoffKind
    /// The flow's id, for a trace.
    package var flow: String
    package var issuer: String
    package var subject: String
    package var username: String
    /// The commands that passed, in their order; presence checks are left out.
    package var commands: [String]
    /// From the first command to the account.
    package var elapsed: Duration

    /// The result as `--json` prints it.
    package var json: [String: JSONValue] {
        [
            "kind": .string(kind.rawValue), "flow": .string(flow), "outcome": "success",
            "account": ["issuer": .string(issuer), "subject": .string(subject), "username": .string(username)],
            "commands": .array(commands.map(JSONValue.string)),
            "elapsedMilliseconds": .integer(elapsed.wholeMicroseconds / 1_000),
        ]
    }
}
