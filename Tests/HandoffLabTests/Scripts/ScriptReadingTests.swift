import Basics
import HandoffLab
import StrictYAML
import Testing

/// A script of one client, with what stands in its steps.
private func read(_ steps: String, actors: String = usualActors) throws -> HandoffScript {
    try HandoffScript(parsing: Array("script: a test\nactors:\n\(actors)steps:\n\(steps)".utf8), file: "test.yaml")
}

private let usualActors = "  idp: { role: idp, users: [alice, bob] }\n  notes: { role: client }\n"

/// The text with which a script is refused; empty where it is taken.
private func refusal(_ steps: String, actors: String = usualActors) -> String {
    do {
        _ = try read(steps, actors: actors)
        return ""
    } catch let fault as Fault {
        return fault.code == .invalidYAML ? fault.text : "\(fault)"
    } catch {
        return "\(error)"
    }
}

@Suite struct `A script is read` {
    @Test func `with its actors, its steps and where they stand`() throws {
        let script = try read(
            "  - name: once\n    notes.login: { user-hint: alice }\n  - expect notes.accounts: [alice]\n")
        #expect(script.title == "a test")
        #expect(script.cast.members.map(\.name) == ["idp", "notes"])
        #expect(script.cast["notes"]?.appID == "org.example.notes")
        #expect(script.steps.map(\.key) == ["notes.login", "expect notes.accounts"])
        #expect(script.steps.map(\.name) == ["once", nil])
        #expect(script.steps[0].position.line == 7)
        #expect(script.seed == 1)
    }

    @Test func `from JSON as the same model, and after a line that names its interpreter`() throws {
        let json =
            #"{"script": "a", "actors": {"idp": {"role": "idp", "users": ["alice"]}}, "steps": [{"idp.login": {"user": "alice"}}]}"#
        #expect(try HandoffScript(parsing: Array(json.utf8), file: "a.json").steps.map(\.key) == ["idp.login"])
        let yaml =
            "#!/usr/bin/env -S countersign run\nscript: a\nactors: { idp: { role: idp, users: [alice] } }\nsteps: []\n"
        #expect(try HandoffScript(parsing: Array(yaml.utf8), file: "a.yaml").steps.isEmpty)
    }

    @Test(arguments: [
        ("  - notes.login: { user-hint: alice }\n", "  - notes.login: { user-hint: carol }\n", "carol"),
        ("  - notes.login:\n", "  - nodes.login:\n", "did you mean “notes”?"),
        ("  - notes.login:\n", "  - notes.logn:\n", "did you mean “login”?"),
        ("  - notes.use: { user: bob }\n", "  - notes.open: { user: bob }\n", "no “open” is something that notes does"),
        ("  - notes.use: { user: bob }\n", "  - notes.use:\n", "“user” is missing"),
        (
            "  - idp.open: { app: notes, user: bob }\n", "  - idp.open: { app: idp, user: bob }\n",
            "“idp” is none of notes"
        ),
        ("  - notes.login: { timeout: 3s }\n", "  - notes.login: { timeout: 3 }\n", "“3” is no time"),
        (
            "  - notes.login: { ends: cancelled }\n", "  - notes.login: { ends: canceled }\n",
            "Did you mean “cancelled”?"
        ),
        ("  - notes.stop:\n", "  - notes.stop: { ends: done }\n", "the key “ends” is not known"),
        ("  - expect notes.accounts: [bob]\n", "  - expect notes.accounts: [carol]\n", "carol"),
        (
            "  - expect notes.flows: { completed: 1 }\n", "  - expect notes.flows: { complete: 1 }\n",
            "did you mean “completed”?"
        ),
        ("  - expect idp.logout: { notes: [revoked] }\n", "  - expect idp.logout: { idp: [revoked] }\n", "no client"),
        (
            "  - expect idp.questions: [consent]\n", "  - expect notes.tokens: { issued: 1 }\n",
            "no “tokens” can be expected of notes"
        ),
        (
            "  - expect notes.current: none\n    within: 1s\n", "  - notes.stop:\n    within: 1s\n",
            "only what is expected"
        ),
        ("  - notes.stop:\n  - notes.start:\n", "  - notes.stop:\n    notes.start:\n", "2 things to do"),
        ("  - notes.stop:\n", "  - name: nothing\n", "nothing to do"),
        (
            "  - crash: { actor: notes, at: client.request-sent }\n",
            "  - crash: { actor: idp, at: client.request-sent }\n",
            "“client.request-sent” is none of"
        ),
        (
            "  - parallel: [{ notes.stop: {} }, [{ expect notes.accounts: [] }, { notes.start: {} }]]\n",
            "  - parallel: [{ crash: { actor: idp, at: broker.answer-sent } }]\n", "does not stand in a branch"
        ),
        (
            "  - deliver: { command: authresponse, from: idp, to: notes }\n",
            "  - deliver: { command: authresponse, from: idp, to: notes, times: 0 }\n", "at least once"
        ),
        ("  - parallel: []\n", "  - paralel: []\n", "did you mean “parallel”?"),
    ])
    func `or refused with the line and what was meant`(good: String, bad: String, says: String) throws {
        #expect(refusal(good) == "")
        let text = refusal(bad)
        #expect(text.contains(says), "\(text)")
        #expect(text.hasPrefix("test.yaml:"), "\(text)")
    }

    @Test(arguments: [
        ("  notes: { role: client }\n", "has 0 actors with the role idp"),
        ("  idp: { role: idp, users: [alice] }\n  other: { role: idp, users: [alice] }\n", "has 2 actors"),
        ("  idp: { role: idp, users: [] }\n", "somebody must be able to sign in"),
        ("  Idp: { role: idp, users: [alice] }\n", "small letters"),
        ("  idp: { role: broker, users: [alice] }\n", "none of idp, client"),
        ("  idp: { role: idp, users: [alice], app: a.b }\n", "“app” is not known"),
        (usualActors + "  photos: { role: client, app: nothing }\n", "test.yaml:"),
    ])
    func `or refused where its actors make no device`(actors: String, says: String) throws {
        #expect(refusal("  []\n", actors: actors).contains(says))
        let two = "  a: { role: idp, users: [alice] }\n  b: { role: idp, users: [alice], device: other }\n"
        #expect(refusal("  []\n", actors: two) == "")
    }
}
