import Basics
import HandoffLab
import StrictYAML
import Testing

private func script(_ steps: String) throws -> HandoffScript {
    let head = "script: a test\nactors:\n  idp: { role: idp, users: [alice, bob] }\n  notes: { role: client }\nsteps:\n"
    return try HandoffScript(parsing: Array((head + steps).utf8), file: "test.yaml")
}

/// The folder of the repository's own scripts.
private let examples =
    "\(#filePath)".split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/Examples/handoffs"

extension HandoffScript: CustomTestStringConvertible {
    package var testDescription: String { title }
}

@Suite struct `A script in the simulation` {
    @Test(arguments: try ScriptFiles.read([examples]))
    func `of the repository goes as written, in four orders of events`(script: HandoffScript) throws {
        for seed in UInt64(1)...4 {
            let result = try script.playSimulated(seed: seed)
            #expect(result.isGood, "\(result.failure?.words ?? "") \(result.breaches) seed \(seed)")
            #expect(result.steps == script.steps.count)
        }
    }

    @Test func `fails at its first step that goes otherwise, with the reason, and plays no more`() throws {
        let steps =
            "  - idp.login: { user: alice }\n  - expect notes.accounts: [alice]\n    because: she signed in\n  - notes.login:\n"
        let result = try script(steps).playSimulated(seed: 1)
        let failure = try #require(result.failure)
        #expect(failure.key == "expect notes.accounts")
        #expect(failure.reason == "it is []")
        #expect(failure.because == "she signed in")
        #expect(failure.position.line == 7)
        #expect(result.steps == 2)
        #expect(result.breaches.isEmpty)
        #expect(!result.transcript.isEmpty)
    }

    @Test func `takes an end that is expected, and no other`() throws {
        let setting = "  - idp.login: { user: alice }\n  - idp.person: { user: alice, choices: [deny] }\n"
        func failure(_ ends: String) throws -> String? {
            try script(setting + "  - notes.login: { user-hint: alice\(ends) }\n").playSimulated(seed: 1).failure?
                .reason
        }
        #expect(try failure(", ends: access-denied") == nil)
        #expect(try failure(", ends: [done, access-denied]") == nil)
        #expect(try failure(", ends: any") == nil)
        #expect(try failure(", ends: cancelled")?.hasPrefix("it ended as access-denied") == true)
        #expect(try failure("")?.contains("not as done") == true)
    }

    @Test func `waits for what is expected as long as it says, and no longer`() throws {
        let steps =
            "  - idp.login: { user: alice }\n  - idp.hold:\n  - parallel:\n      - notes.login: { user-hint: alice, timeout: 60s }\n"
            + "      - - expect notes.accounts: [alice]\n          within: WITHIN\n"
            + "      - - expect notes.accounts: []\n        - expect idp.questions: [consent]\n        - RELEASE\n"
        let late = "expect notes.flows: { pending: 1 }"
        func failure(_ within: String, _ last: String) throws -> String? {
            let text = steps.replacing("WITHIN", with: within).replacing("RELEASE", with: last)
            return try script(text).playSimulated(seed: 1).failure?.key
        }
        #expect(try failure("10s", "idp.release:") == nil)
        #expect(try failure("10s", late) == "expect notes.accounts")
    }

    @Test func `fails where nobody comes to the boundary of a crash, or nothing is done after it`() throws {
        let crash = "  - crash: { actor: notes, at: client.invitation-taken }\n"
        let nobody = try script("  - idp.login: { user: alice }\n\(crash)  - notes.login: { user-hint: alice }\n")
            .playSimulated(seed: 1)
        #expect(nobody.failure?.reason == "nobody came to client.invitation-taken")
        let last = try script("  - idp.login: { user: alice }\n\(crash)").playSimulated(seed: 1)
        #expect(last.failure?.reason == "nothing is done after it")
        let good = try script(
            "  - idp.login: { user: alice }\n  - crash: { actor: notes, at: client.account-stored }\n"
                + "  - notes.login: { user-hint: alice, ends: interrupted }\n  - expect notes.accounts: [alice]\n")
        #expect(try good.playSimulated(seed: 1).failure == nil)
    }

    @Test func `fails at a step that the stage cannot do, with its code`() throws {
        let deliver = "  - deliver: { command: authrequest, from: notes, to: idp }\n"
        let reason = try script(deliver).playSimulated(seed: 1).failure?.reason
        #expect(reason?.hasPrefix("nothing-captured: ") == true)
        let away = try script("  - notes.stop:\n  - notes.login:\n").playSimulated(seed: 1)
        #expect(away.failure?.reason.hasPrefix("actor-away: ") == true)
        let logIn = "  - idp.login: { user: alice }\n  - notes.login: { user-hint: alice }\n"
        #expect(try script(logIn + deliver).playSimulated(seed: 1).failure == nil)
    }

    @Test func `gives the same run for the same seed`() throws {
        let steps =
            "  - idp.login: { user: alice }\n  - notes.login: { user-hint: alice }\n  - expect notes.accounts: []\n"
        let script = try script(steps)
        let first = try script.playSimulated(seed: 7)
        #expect(try script.playSimulated(seed: 7).transcript == first.transcript)
        #expect(try script.playSimulated(seed: 8).transcript != first.transcript)
    }
}
