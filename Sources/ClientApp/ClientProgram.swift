// ClientApp is countersign-client: the client app for people, scripts and tests, over the same SDK that any app embeds.
import Basics
import CommandLineInterface
import FoundationEssentials
import LinuxPlatform

/// The program and its command table.
enum ClientProgram {
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
        name: "countersign-client", summary: "a client app that logs in by hand-off", version: Program.productVersion,
        versionDetails: [("protocol", "v1.0")], options: .everywhere,
        topics: [
            .exitCodes, .environment(),
            .files([
                ("apps/ID/app.yaml", "The app's manifest: schemes, redirect URIs, the identity providers it trusts."),
                ("apps/ID/records.sqlite", "The app's accounts and logins under way; tokens are sealed."),
                ("apps/ID/secrets", "The app's keys, sealed."), ("log/ID.jsonl", "The app's log, redacted."),
            ]),
        ],
        commands: [
            .open, .serve, .login, .accounts, .switchAccount, .logout, .userinfo, .token, .handle, .appsInstall,
            .appsUninstall, .activated,
        ])
}

extension [Option] {
    /// What every command of this program takes.
    static let everywhere: [Option] =
        [
            Option("--app", "ID", "the app to be, instead of org.countersign.client"),
            Option(
                "--prompt", "HOW", values: .suggested(["terminal", "web", "command:PATH", "script:CHOICE"]),
                "how to ask: terminal, web, command:PATH, script:CHOICE"),
        ]
}
