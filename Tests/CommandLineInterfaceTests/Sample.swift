import Basics
import CommandLineInterface

/// A program with every kind of row that the table can hold.
let sample = Program(
    name: "sample", summary: "shows every kind of row", version: "1.2.3",
    versionDetails: [("protocol", "v1.0")], options: [Option("--app", "ID", "the app to be")],
    topics: [.exitCodes, .environment([("SAMPLE", "Its own.")]), .files([("app.yaml", "The manifest of an app.")])],
    commands: [
        Command(
            "", "open the app", examples: [.init("sample", "open the app")],
            options: [Option("--again", "open it again")]
        ) { invocation in
            invocation.output.data("opened\(invocation.flag("--again") ? " again" : "")")
            return .done
        },
        Command(
            "apps add", "register an app", examples: [.init("sample apps add notes", "register notes")],
            positionals: [Positional("ID", "the app's id")],
            options: [
                Option("--redirect", "URI", repeats: true, "where the answer goes"),
                Option("--exec", "PATH", values: .file, "what starts it"),
                Option("--scope", "SCOPE", values: .oneOf(["app", "device", "everywhere"]), "how far it goes"),
                Option("--silent", "switch without asking"),
                Option("--limit", "N", values: .number, "how many"),
                Option("--report", "KIND=FILE", repeats: true, "what to write"),
            ]
        ) { invocation in
            let redirects = invocation.options("--redirect")
            invocation.output.result(
                ["id": .string(try invocation.argument("ID")), "redirects": .array(redirects.map(JSONValue.string))],
                text: "\(try invocation.argument("ID")) \(redirects.joined(separator: " "))")
            return .done
        },
        Command("apps list", "list the apps", examples: [.init("sample apps list", "list them")]) { _ in .done },
        Command(
            "token", "print a token", details: "The token and nothing else.",
            examples: [.init("sample token --password-file -", "ask with a password")],
            positionals: [Positional("WHAT", .optional, values: .suggested(["bare", "header"]), "which form")],
            options: [
                Option("--password-file", "FILE", values: .file, "where the password stands"),
                Option("--credential", "@FILE", "the credential"),
                Option("--account", "ACCOUNT", values: .listed(["none"], by: "apps list"), "whose"),
            ]
        ) { invocation in
            if let secret = try invocation.readSecret("--password-file") ?? invocation.readSecret("--credential") {
                invocation.output.data("secret of \(secret.unmasked.count)")
            }
            if let text = try invocation.readText("WHAT") { invocation.output.data("text \(text)") }
            return .done
        },
        Command(
            "run", "run files", examples: [.init("sample run a.yaml", "run one")],
            positionals: [Positional("FILE", .repeated, values: .file, "the files")],
            options: [Option("--tags", "TAG,…", repeats: true, "only these")]
        ) { invocation in
            invocation.output.data((invocation.arguments("FILE") + invocation.list("--tags")).joined(separator: "|"))
            return .done
        },
        Command(
            "fail", "end badly", examples: [.init("sample fail refused", "end with exit code 4")],
            positionals: [Positional("HOW", "how to end")]
        ) { invocation in
            switch try invocation.argument("HOW") {
            case "user": throw Cancellation(by: .user)
            case "caller": throw Cancellation(by: .caller)
            case "task": throw CancellationError()
            case "unknown": throw Foreign(secret: "hunter2")
            case "status": return .breach
            case let name:
                let kind = ErrorCode.Kind(rawValue: name) ?? .internal
                throw Fault(ErrorCode("sample-\(name)", kind, "It failed: on purpose.", next: "sample"), detail: "why")
            }
        },
        Command("lab-peer", "run a weakened peer", isHidden: true) { invocation in
            invocation.output.talk("peer")
            return .done
        },
    ])

private struct Foreign: Error, CustomStringConvertible {
    let secret: String
    var description: String { secret }
}

/// What a call of the sample left behind.
struct Ending {
    let status: Int32
    let output: String
    let error: String
}

/// Runs the sample with a line that has one space between its arguments.
func run(
    _ line: String, environment: [String: String] = [:], input: FixedInput = FixedInput(),
    streams: CollectedStreams = CollectedStreams(), interruption: ExitStatus = .interrupted
) async -> Ending {
    await run(
        line.split(separator: " ").map(String.init), environment: environment, input: input, streams: streams,
        interruption: interruption)
}

/// Runs the sample with arguments.
func run(
    _ arguments: [String], environment: [String: String] = [:], input: FixedInput = FixedInput(),
    streams: CollectedStreams = CollectedStreams(), interruption: ExitStatus = .interrupted
) async -> Ending {
    let status = await sample.run(
        arguments: arguments, environment: environment, output: streams, input: input, interruption: { interruption })
    return Ending(status: status, output: streams.standardOutput, error: streams.standardError)
}
