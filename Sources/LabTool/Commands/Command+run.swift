import Basics
import CommandLineInterface
import FoundationEssentials
import HandoffLab
import LinuxPlatform
import Platform

extension Command {
    /// Plays hand-off scripts.
    static let run = Command(
        "run", "play hand-off scripts, in the simulation or with real processes",
        details: """
            A script is a YAML file: who takes part, what they do, and what must come of it. In the simulation all \
            parties run in this process on a virtual clock, and a seed decides every order. With --real the programs \
            run on a private bus. After each script it is checked that no credential was taken twice, no user has two \
            accounts, no flow outlives its deadline and no password stands in a log; a breach ends with exit code 6. \
            docs/guides/scripts.md shows every step.
            """,
        examples: [
            .init("countersign run Examples/handoffs", "every script in a folder"),
            .init("countersign run login.yaml --seed 1 --repeat 100", "one script in a hundred orders of events"),
            .init("countersign run Examples/handoffs --real --report junit=report.xml", "real processes, for CI"),
        ],
        positionals: [Positional("FILE|DIR", .repeated, values: .file, "scripts, or folders of them")],
        options: [
            Option("--real", "play them with real processes"),
            Option("--seed", "N", values: .number, "the order of events, in place of the script's own"),
            Option("--repeat", "N", values: .number, "play each so often, each time with the next seed"),
            Option("--tags", "T,…", repeats: true, "only scripts with one of these tags"),
            Option(
                "--report", "KIND=FILE", repeats: true,
                "write a report: \(ScriptReport.allCases.map(\.rawValue).joined(separator: " or ")); - is the output"),
        ]
    ) { call in
        let reports = try call.reports()
        // Whoever reads a report from the output reads nothing else there.
        let isOutputTaken = reports.contains { $0.path == "-" }
        if isOutputTaken, call.output.isJSON {
            throw call.invalid("--report", "the output has one reader; leave --json out, or name a file.")
        }
        let scripts = try ScriptFiles.read(call.arguments("FILE|DIR"), tags: call.list("--tags"))
        let isReal = call.flag("--real")
        if !isReal { try ProcessRestart.once(with: "SWIFT_DETERMINISTIC_HASHING", "1", in: call.environment) }
        let seed = try call.number("--seed")
        let rounds = UInt64(try call.number("--repeat", in: 1...1_000_000) ?? 1)
        var results: [ScriptResult] = []
        for script in scripts {
            for round in 0..<rounds {
                try Task.checkCancellation()
                let clock = ContinuousClock()
                let start = clock.now
                var result =
                    isReal
                    ? try await script.playReal(
                        programs: try .besideThis(), environment: Environment.live(executor: nil))
                    : try script.playSimulated(seed: (seed ?? script.seed) &+ round)
                result.took = clock.now - start
                call.tell(
                    result, isFirst: round == 0, print: isOutputTaken ? call.output.talk : { call.output.data($0) })
                results.append(result)
            }
        }
        for (kind, path) in reports { try call.write(kind.text(results), to: path) }
        let bad = results.filter { !$0.isGood }
        let sum = "\(results.count - bad.count) of \(results.count) went as written."
        if isOutputTaken {
            call.output.talk(sum)
        } else {
            call.output.result(
                ["results": .array(results.map { .object($0.json) }), "good": .bool(bad.isEmpty)], text: sum)
        }
        guard bad.allSatisfy({ $0.breaches.isEmpty }) else {
            throw Fault(.scriptBroke, bad.flatMap(\.breaches).joined(separator: "\n"))
        }
        guard let first = bad.first else { return .done }
        throw Fault(.scriptFailed, first.failure?.words, next: first.again + " -v")
    }
}

extension Invocation {
    fileprivate func reports() throws -> [(kind: ScriptReport, path: String)] {
        try pairs("--report").map { pair in
            guard let kind = ScriptReport(rawValue: pair.name) else {
                let kinds = ScriptReport.allCases.map(\.rawValue).joined(separator: ", ")
                throw invalid("--report", "“\(pair.name)” is none of \(kinds).")
            }
            return (kind, pair.value)
        }
    }

    /// Says how a script went; of many rounds only those that show something new.
    fileprivate func tell(_ result: ScriptResult, isFirst: Bool, print: (String) -> Void) {
        guard !output.isJSON, isFirst || !result.isGood else { return }
        let place = result.stage == .real ? "real" : "simulated, seed \(result.seed)"
        let word =
            result.isGood
            ? output.styled("ok  ", .good) : output.styled(result.failure == nil ? "BREACH" : "FAIL", .bad)
        print("\(word)  \(result.title)  (\(place), \(result.took.wholeMicroseconds / 1_000) ms)")
        guard !result.isGood else { return }
        let lines =
            [result.failure?.words, result.failure?.because.map { "because \($0)" }] + result.breaches.map { $0 }
            + ["again: \(result.again)"]
        for line in lines.compactMap(\.self) { print("      \(line)") }
        output.detail(result.transcript)
    }

    fileprivate func write(_ text: String, to path: String) throws {
        guard path != "-" else { return output.data(text, terminator: "") }
        do {
            try Data(text.utf8).write(to: URL(filePath: path))
        } catch {
            throw invalid("--report", "\(path) cannot be written.")
        }
    }
}
