import Basics
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct QuestionTests {
    @Test(.rule("A159")) func `control, invisible and direction-changing characters are not shown, and words are`() {
        #expect(DisplayText.clean("a\u{1B}[31mb\u{7}\r\nc\u{9B}d\u{0}") == "a[31mb cd")
        #expect(DisplayText.clean("ab\u{202E}\u{2066}\u{200F}\u{061C}\u{FEFF}cd\u{E0041}") == "abcd")
        #expect(DisplayText.clean("Björn Škoda 李 🦊 👩‍💻 עברית") == "Björn Škoda 李 🦊 👩‍💻 עברית")
        #expect(DisplayText.clean("one\u{2028}two") == "one two")
        #expect(DisplayText.clean(String(repeating: "x", count: 500)).count == 401)
    }

    @Test func `a shown question has clean texts everywhere, and the ids as they were`() {
        let odd = "\u{1B}]0;x\u{7}\u{202E}"
        var question = Question.consent(
            asker: .init(name: "N" + odd, id: "i" + odd, keyFingerprint: "k" + odd, unverifiedName: "U" + odd))
        question.title += odd
        question.lines.append(odd)
        question.problem = odd
        question.fields = [.init("f" + odd, "F" + odd, value: odd)]
        question.choices = [.init("id" + odd, "C" + odd, subtitle: odd, disabledReason: odd)]
        let shown = question.shown
        #expect(shown.choices[0].id == "id" + odd && shown.fields[0].name == "f" + odd)
        var texts = [shown.title, shown.problem ?? "", shown.asker?.name ?? "", shown.asker?.id ?? ""] + shown.lines
        texts += [shown.asker?.keyFingerprint ?? "", shown.unverifiedNameRemark ?? "", shown.fields[0].label]
        texts += [shown.fields[0].value, shown.choices[0].title, shown.choices[0].subtitle ?? ""]
        texts.append(shown.choices[0].disabledReason ?? "")
        for text in texts { #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }) }
    }

    @Test func `the JSON form has what the question has, and leaves out what it has not`() throws {
        let json = Question.consent(ending: Timestamp(seconds: 0)).json
        #expect(json["schemaVersion"] == 1 && json["kind"] == "consent")
        #expect(json["asker"]?["unverifiedName"] == "Notes Pro")
        #expect(json["deadline"] == "1970-01-01T00:00:00.000Z")
        let choices = try #require(json["choices"]?.arrayValue)
        #expect(choices[0] == ["id": "allow", "title": "Allow"])
        #expect(choices[2]["disabledReason"] == "it was asked today")
        #expect(json["problem"] == nil)
        #expect(Question.signIn(problem: "Wrong.").json["problem"] == "Wrong.")
    }

    @Test func `an answer takes a choice that can be taken, with the fields that were asked for`() throws {
        let consent = Question.consent()
        #expect(try consent.answer(from: ["choice": "allow"]).choice == "allow")
        for refused: JSONValue in [
            ["choice": "no such"], ["choice": "later"], [:], "allow", ["choice": 1],
            ["choice": "allow", "fields": ["extra": "x"]],
        ] {
            #expect(throws: Fault(.promptAnswerRefused), "\(refused)") { try consent.answer(from: refused) }
        }
        #expect(throws: Cancellation(by: .user)) { try consent.answer(from: ["cancel": true]) }
        let signIn = Question.signIn()
        let answer = try signIn.answer(from: ["choice": "sign-in", "fields": ["password": "pw"]])
        #expect(answer.fields["username"]?.unmasked == "alice" && answer.fields["password"]?.unmasked == "pw")
        #expect(throws: Fault(.promptAnswerRefused)) { try signIn.answer(from: ["choice": "sign-in"]) }
    }

    @Test func `the way to ask is read from the option, and the default asks nobody without a way`() async throws {
        #expect(try DialogueChoice.parse("terminal") == .terminal)
        #expect(try DialogueChoice.parse("web") == .web)
        #expect(try DialogueChoice.parse("command:/bin/x y:z") == .command("/bin/x y:z"))
        #expect(try DialogueChoice.parse("script:allow,alice") == .script(["allow", "alice"]))
        for text in ["", "Terminal", "command:", "script:", "shell:x", "command"] {
            #expect(throws: Fault(.promptUnknown), "\(text)") { try DialogueChoice.parse(text) }
        }
        let means = DialogueMeans(
            environment: .live(), variables: [:], processes: LinuxChildProcesses(),
            listener: NoListener(), opener: NoOpener(), tell: { _ in })
        #expect(try await means.dialogue(.script(["allow"])).ask(.consent()).choice == "allow")
        #expect(means.dialogue(.web) is WebDialogue)
        #expect(means.dialogue(.command("/bin/true")) is CommandDialogue)
        if !TerminalDialogue.isAtTerminal {
            await #expect(throws: Fault(.interactionRequired)) { try await means.dialogue(nil).ask(.consent()) }
        }
    }
}

/// Opens no port: for tests that must not need one.
private struct NoListener: LoopbackListener {
    func listen(_ handler: any HTTPHandler) async throws -> any LoopbackPort { throw Fault(.httpUnreachable) }
}
