import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform

extension Command {
    /// Lists the flows, or shows one.
    static let trace = Command(
        "trace", "show the commands and requests of one login across all apps, in one order",
        details: """
            Every app of a home logs what it sends, takes, refuses and decides. A flow is one login or hand-off from its \
            beginning to its end; errors and --json results name it. The order is causal: a command is sent before it is \
            taken, whatever the clocks say. Secrets are masked where they are logged already.
            """,
        examples: [
            .init("countersign trace list", "the flows of this home, the newest first"),
            .init("countersign trace last", "the newest one"),
            .init("countersign trace 3abacd78", "one by the beginning of its id"),
            .init("countersign trace last --format mermaid", "a sequence diagram"),
        ],
        positionals: [
            Positional(
                "FLOW", .optional, values: .listed(["list", "last"], by: "trace list --names"),
                "list, last, or the beginning of an id")
        ],
        options: [
            Option(
                "--format", "FORMAT", values: .oneOf(["text", "json", "mermaid"]), "how it is printed; text by default"),
            Option("--names", "list the beginnings of the ids alone, one a line"),
            Option("--all", "list signs of life (ping and pong) too"),
        ]
    ) { call in
        let place = try Home.path(option: call.option("--home"), environment: call.environment)
        let home = try Home.open(at: place.path, isDefault: place.isDefault)
        let log = TraceLog(folder: home.layout.logs)
        if log.unreadable > 0 { call.output.talk("note: \(log.unreadable) lines of the logs could not be read.") }
        let name = call.optionalArgument("FLOW") ?? "list"
        if name == "list" { return call.list(log) }
        call.show(try log.find(name))
        return .done
    }
}

extension Invocation {
    private var format: String { option("--format") ?? "text" }

    fileprivate func list(_ log: TraceLog) -> ExitStatus {
        let flows = log.flows.filter { flag("--all") || $0.kind != .presence }
        let members: [String: JSONValue] = ["flows": .array(flows.map { .object($0.summary) })]
        if format == "json" {
            output.json(members)
            return .done
        }
        if flag("--names"), !output.isJSON {
            for flow in flows { output.data(String(flow.flow.prefix(8))) }
            return .done
        }
        let rows = flows.map { flow in
            [
                String(flow.flow.prefix(8)),
                String(flow.begun.description.dropFirst(5).dropLast(5)).replacing("T", with: " "),
                flow.kind.rawValue, flow.duration.shown, flow.outcome,
                flow.apps.filter { $0 != "provider" }.map(\.lastPart).joined(separator: " "),
            ]
        }
        output.result(
            members,
            text: rows.isEmpty
                ? "No flows yet. Begin one: countersign-client login"
                : Output.table(["flow", "begun", "kind", "took", "outcome", "apps"], rows))
        return .done
    }

    fileprivate func show(_ trace: Trace) {
        switch format {
        case "json": output.json(trace.json)
        case "mermaid" where !output.isJSON: output.data(trace.mermaid)
        default:
            let lines = trace.lines { text, emphasis in
                switch emphasis {
                case .plain: text
                case .good: output.styled(text, .good)
                case .bad: output.styled(text, .bad)
                case .quiet: output.styled(text, .quiet)
                }
            }
            output.result(trace.json, text: lines.joined(separator: "\n"))
        }
    }
}

extension String {
    fileprivate var lastPart: String { split(separator: ".").last.map(String.init) ?? self }
}
