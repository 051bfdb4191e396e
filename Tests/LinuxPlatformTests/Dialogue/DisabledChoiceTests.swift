import Basics
import HTML
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

/// An account that cannot serve: each way to ask shows it with the reason, and none takes it.
@Suite struct DisabledChoiceTests {
    private static let reason = "it is signed out"

    private static func question() -> Question {
        Question(
            .userSelection, title: "Which account for Notes?",
            choices: [
                .init("account-1", "alice"), .init("signed-out-1", "carol", disabledReason: reason),
                .init("sign-in", "Use another account"),
            ], deadline: LiveClock.now() + .seconds(600))
    }

    @Test(.rule("T46")) func `a script that names it does not get it, and is told the reason`() async throws {
        let fault = await #expect(throws: Fault(.interactionRequired)) {
            try await ScriptedDialogue(choices: ["carol"]).ask(Self.question())
        }
        let words = "\(fault?.text ?? "") \(fault?.nextStep ?? "") \(fault?.detail ?? "")"
        #expect(words.contains(Self.reason), "\(words)")
        #expect(try await ScriptedDialogue(choices: ["carol", "alice"]).ask(Self.question()).choice == "account-1")
    }

    @Test(.rule("T46")) func `a prompt program reads it with the reason, and its answer is refused`() async throws {
        func dialogue(_ script: String) -> CommandDialogue {
            CommandDialogue(
                program: "/bin/sh", arguments: ["-c", script],
                processes: LinuxChildProcesses(tellsParentsEnd: false), environment: .live())
        }
        await #expect(throws: Fault(.promptAnswerRefused)) {
            try await dialogue("echo '{\"choice\":\"signed-out-1\"}'").ask(Self.question())
        }
        // It answers only when it has read the reason.
        let reads = "grep -q '\"disabledReason\":\"\(Self.reason)\"' && echo '{\"choice\":\"account-1\"}'"
        #expect(try await dialogue(reads).ask(Self.question()).choice == "account-1")
    }

    @Test(.rule("T46")) func `a page shows it with the reason and without a button that sends it`() throws {
        let page = WebPromptPage(
            question: Self.question().shown, path: "/path", formToken: "token", problem: nil, remaining: "soon"
        ).page.render()
        #expect(page.contains("<button name=\"choice\" value=\"signed-out-1\" disabled>"))
        #expect(page.contains(Self.reason))
        #expect(page.contains("<button name=\"choice\" value=\"account-1\""))
        #expect(!page.contains("value=\"account-1\" disabled"))
    }
}
