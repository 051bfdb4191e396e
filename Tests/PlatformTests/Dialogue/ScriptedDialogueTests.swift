import Basics
import Platform
import Testing

private let selection = Question(
    .loginFlowSelection, title: "How do you want to log in?",
    choices: [
        Question.Choice("identity-provider", "With the identity provider"),
        Question.Choice("local", "Here", disabledReason: "no network"),
    ], deadline: Timestamp(seconds: 0))

private let users = Question(
    .userSelection, title: "Which account?",
    choices: [Question.Choice("h1", "Alice"), Question.Choice("h2", "Bob")], deadline: Timestamp(seconds: 0))

private let signIn = Question(
    .signIn, title: "Sign in",
    fields: [
        Question.Field("user", "User name", value: "alice"), Question.Field("password", "Password", isSecret: true),
    ],
    choices: [Question.Choice("sign-in", "Sign in")], deadline: Timestamp(seconds: 0))

@Suite struct `A scripted dialogue` {
    @Test func `takes the first scripted choice that a question has, by id or title, in any case`() async throws {
        let dialogue = ScriptedDialogue(choices: ["Identity-Provider", "bob", "alice"])
        #expect(try await dialogue.ask(selection).choice == "identity-provider")
        #expect(try await dialogue.ask(users).choice == "h2")
        #expect(try await dialogue.ask(users).choice == "h2")
    }

    @Test func `does not take a choice that cannot be taken now`() async throws {
        await #expect(throws: Fault(.interactionRequired)) {
            try await ScriptedDialogue(choices: ["local"]).ask(selection)
        }
        #expect(
            try await ScriptedDialogue(choices: ["local", "identity-provider"]).ask(selection).choice
                == "identity-provider")
    }

    @Test func `cancels where the script says so, and not before`() async throws {
        let dialogue = ScriptedDialogue(choices: ["identity-provider", "cancel", "alice"])
        #expect(try await dialogue.ask(selection).choice == "identity-provider")
        await #expect(throws: Cancellation(by: .user)) { try await dialogue.ask(users) }
    }

    @Test func `without a fitting choice says which question it was and what would fit`() async throws {
        do {
            _ = try await ScriptedDialogue(choices: ["carol"]).ask(users)
            Issue.record("it answered")
        } catch let fault as Fault {
            #expect(fault.code == .interactionRequired)
            #expect(fault.text.contains("user-selection"))
            #expect(fault.text.contains("h1, h2"))
        }
    }

    @Test func `takes the default only where it may, and only when that can be taken`() async throws {
        #expect(try await ScriptedDialogue(choices: [], acceptsDefaults: true).ask(users).choice == "h1")
        await #expect(throws: Fault(.interactionRequired)) { try await ScriptedDialogue(choices: []).ask(users) }
        var refused = users
        refused.choices[0].disabledReason = "locked"
        await #expect(throws: Fault(.interactionRequired)) {
            try await ScriptedDialogue(choices: [], acceptsDefaults: true).ask(refused)
        }
    }

    @Test func `types what the script has, and nothing for a secret that it lacks`() async throws {
        let both = ScriptedDialogue(choices: [], fields: ["user": Secret("bob"), "password": Secret("pass")])
        let answer = try await both.ask(signIn)
        #expect(answer.choice == "sign-in")
        #expect(answer.fields["user"]?.unmasked == "bob")
        #expect(answer.fields["password"]?.unmasked == "pass")
        #expect(!"\(answer)".contains("pass\""))
        let one = ScriptedDialogue(choices: ["sign-in"], fields: ["password": Secret("pass")])
        #expect(try await one.ask(signIn).fields["user"]?.unmasked == "alice")
        await #expect(throws: Fault(.interactionRequired)) {
            try await ScriptedDialogue(choices: ["sign-in"]).ask(signIn)
        }
    }

    @Test func `does not repeat an answer that was refused`() async throws {
        let dialogue = ScriptedDialogue(choices: [], fields: ["user": Secret("bob"), "password": Secret("pass")])
        var again = signIn
        again.problem = "Wrong user name or password."
        await #expect(throws: Fault(.interactionRequired)) { try await dialogue.ask(again) }
        #expect(try await dialogue.ask(signIn).choice == "sign-in")
    }

    @Test func `without anyone to ask every question is refused by name`() async throws {
        do {
            _ = try await NoDialogue().ask(users)
            Issue.record("it answered")
        } catch let fault as Fault {
            #expect(fault.code == .interactionRequired)
            #expect(fault.text.contains("user-selection"))
        }
    }
}
