import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform
import Platform

extension Command {
    /// Says what a URL command says and whether it would be taken, or what an error code means.
    static let explain = Command(
        "explain", "say what a URL command says, and which rule would refuse it; or what an error code means",
        details: """
            The command is decoded with the keys of this home, and every rule is looked at in its order, as if the URL \
            were pasted. Nothing changes: no command is taken, marked or sent. Names, subjects and codes are masked. \
            Exit 0: it would be taken; 4: it would be refused; 3: it is neither a command nor an error code.
            """,
        examples: [
            .init("countersign explain @command.txt", "a URL from a file"),
            .init("countersign-idp open APP --print | countersign explain -", "a URL from another program"),
            .init("countersign explain command-replayed", "an error code"),
        ],
        positionals: [
            Positional(
                "INPUT", values: .suggested(ErrorReference.codes.map(\.name)),
                "a URL, @FILE, - for standard input, or an error code")
        ],
        options: [Option("--unsafe-secrets", "show names, subjects, codes and states as they are")]
    ) { call in
        let text = try call.readText("INPUT") ?? ""
        guard text.contains(":") else { return try call.explainCode(text) }
        let place = try Home.path(option: call.option("--home"), environment: call.environment)
        let home = try Home.open(at: place.path, isDefault: place.isDefault)
        let explanation = try await CommandExplainer(home: home, environment: .live(executor: nil)).explain(text)
        let isUnsafe = call.flag("--unsafe-secrets")
        call.output.result(
            explanation.json(unsafely: isUnsafe),
            text: explanation.lines(unsafely: isUnsafe).joined(separator: "\n"))
        guard let refusal = explanation.refusal else { return .done }
        call.output.talk("next: \(refusal.fault.nextStep)")
        return ["version", "name"].contains(refusal.rule) ? .invalidFile : .refused
    }
}

extension Invocation {
    /// The page of an error code, in whatever form it was copied: `error[CODE]`, `[CODE]` or `CODE`.
    fileprivate func explainCode(_ text: String) throws -> ExitStatus {
        let name = text.replacing(/^(error)?\[|\].*$/, with: "")
        guard let code = ErrorReference.codes.first(where: { $0.name == name }) else {
            let nearest = NearestName.of(name, among: ErrorReference.codes.map(\.name))
            throw Fault(
                .notACommand, "“\(name)” is neither a URL command nor an error code.",
                next: nearest.map { "Did you mean this? countersign explain \($0)" }
                    ?? "See all codes: countersign help errors")
        }
        let exit = ExitStatus(code.kind).code
        output.result(
            [
                "code": .string(code.name), "text": .string(code.meaning), "nextStep": .string(code.nextStep),
                "kind": .string(code.kind.rawValue), "exit": .integer(Int64(exit)),
            ],
            text: "\(code.name)\n\n\(code.meaning)\n\nnext: \(code.nextStep)\nexit: \(exit)")
        return .done
    }
}
