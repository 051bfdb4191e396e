import Basics
import CommandLineInterface
import HandoffLab

extension Command {
    /// Runs one login in the simulation, with every party in this process and a virtual clock.
    static let simulate = Command(
        "simulate", "run one login in the simulation; the same seed gives the same transcript",
        details:
            "Every party runs in this process, on a virtual clock; a seed decides every order and every random value.",
        examples: [
            .init("countersign simulate --seed 42", "the client asks"),
            .init("countersign simulate --seed 42 --flow keychain", "a code is handed over"),
        ],
        options: [
            Option("--seed", "N", values: .number, "what decides every order; 1 by default"),
            Option("--flow", "FLOW", values: .oneOf(HandoffKind.allCases.map(\.rawValue)), "how the login begins"),
        ]
    ) { call in
        let seed = try call.number("--seed") ?? 1
        let flow = call.option("--flow").flatMap(HandoffKind.init) ?? .clientInitiated
        let journal = try LabWorld.journal(flow: flow, seed: seed)
        let transcript = journal.transcript
        call.output.result(
            [
                "seed": .string(String(seed)), "kind": .string(flow.rawValue),
                "flow": .string(try journal.traceLog.find("last").flow),
                "transcript": .array(transcript.split(separator: "\n").map { .string(String($0)) }),
            ], text: transcript.hasSuffix("\n") ? String(transcript.dropLast()) : transcript)
        return .done
    }
}
