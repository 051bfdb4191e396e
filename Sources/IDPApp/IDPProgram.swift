// IDPApp is countersign-idp: the identity provider app of a home, with its provider, registry and users.
import CommandLineInterface
import FoundationEssentials
import LinuxPlatform

/// The program and its command table.
enum IDPProgram {
    /// Runs the command that the process was started with, and returns its exit code.
    static func main() async -> Int32 {
        let environment = ProcessInfo.processInfo.environment
        return await StopSignals.run(environment: environment) {
            await program.run(
                arguments: Array(CommandLine.arguments.dropFirst()), environment: environment,
                interruption: { StopSignals.last == .terminated ? .terminated : .interrupted })
        }
    }

    static let program = Program(
        name: "countersign-idp", summary: "the identity provider app of this machine", version: Program.productVersion,
        versionDetails: [("protocol", "v1.0")], options: .everywhere,
        topics: [
            .exitCodes, .environment(),
            .files([
                ("home.yaml", "The home: its issuer and when it was made."),
                ("records.sqlite", "The registries of apps and clients, users, and the provider's records."),
                ("apps/ID/app.yaml", "An app's manifest."), ("ca/ca.pem", "The certificate of the home's authority."),
                ("log/ID.jsonl", "An app's log, redacted."),
            ]),
        ],
        commands: [
            .serve, .login, .accounts, .switchAccount, .logout, .open, .appsAdd, .appsShow, .appsList, .appsRemove,
            .appsInstall, .appsUninstall, .appsChange, .appsRotate, .appsRevokeKey, .groupsList, .groupsAdd,
            .groupsRemove, .keysList, .keysRotate, .keysRevoke, .usersAdd, .usersList, .usersRemove, .handle,
            .activated,
        ])
}

extension [Option] {
    /// What every command of this program takes.
    static let everywhere: [Option] =
        [
            Option(
                "--prompt", "HOW", values: .suggested(["terminal", "web", "command:PATH", "script:CHOICE"]),
                "how to ask: terminal, web, command:PATH, script:CHOICE")
        ]
}
