import Basics
import CommandLineInterface
import HandoffLab
import LinuxPlatform
import Platform

extension Command {
    /// Shows one login, with everything real.
    static let demo = Command(
        "demo", "show one login: a device of its own, a bus, and both apps as separate processes",
        details: "No rule is loosened for it: the questions are asked, and a script answers them.",
        examples: [
            .init("countersign demo", "the client asks the identity provider app"),
            .init("countersign demo --flow keychain", "the identity provider app hands a code over"),
            .init("countersign demo --interactive", "answer the questions yourself"),
            .init("countersign demo --keep DIR", "keep the device; then: countersign-client --home DIR userinfo"),
        ],
        options: [
            Option("--flow", "FLOW", values: .oneOf(HandoffKind.allCases.map(\.rawValue)), "how the login begins"),
            Option("--interactive", "answer the questions at this terminal"),
            Option("--keep", "DIR", values: .directory, "keep the device in this folder"),
        ]
    ) { call in
        let isInteractive = call.flag("--interactive")
        if isInteractive, !call.mayAsk { throw Fault(.interactionRequired) }
        let plan = DemoPlan(
            flow: call.option("--flow").flatMap(HandoffKind.init) ?? .clientInitiated, isInteractive: isInteractive,
            keptHome: call.option("--keep"),
            timeout: try call.duration("--timeout") ?? (isInteractive ? .seconds(300) : .seconds(30)))
        let output = call.output
        let demo = Demo(
            plan, programs: try .besideThis(), environment: Environment.live(executor: nil), tell: { output.talk($0) })
        let result = try await demo.run()
        output.result(
            result.json,
            text: """
                Logged in as \(result.username) by \(result.kind.rawValue) hand-off, in \
                \(result.elapsed.wholeMicroseconds / 1_000) ms.
                  issuer   \(result.issuer)
                  subject  \(result.subject)
                  flow     \(result.flow)
                """)
        return .done
    }
}
