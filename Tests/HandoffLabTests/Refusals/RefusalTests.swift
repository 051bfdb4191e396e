import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A login that does not succeed` {
    @Test func `names both issuers when the request was refused for its pin, which the refusal may not do`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue()) {
                $0.manifest.identityProviders[0].issuer = "http://localhost:9"
            }
            let error = await failure { try await client.role.login(.handOff()) }
            #expect(error?.code == .answerIssuerMismatch)
            #expect(error?.text.contains("http://localhost:9 is pinned") == true)
            #expect(error?.text.contains(world.issuer.text) == true)
            await client.stop()
            // With the right pin another refused request is only that.
            let bold = try await world.runClient(dialogue: NoDialogue()) {
                $0.manifest.redirectURIs = ["http://127.0.0.1/x"]
            }
            #expect(await failure { try await bold.role.login(.handOff()) }?.code == .peerRefused)
            await bold.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T14", "T31", "T59", "A065", "A066"))
    func `says that the person at the identity provider app did not allow it`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.choosing(["deny", "sign-in"]))
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .accessDenied)
            #expect(try await client.role.accounts.all().isEmpty)
            #expect(try world.count("provider.code") == 0)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T59", "A063", "A065", "A080")) func `says that it was cancelled at the other app`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: ScriptedDialogue(choices: ["cancel"]))
            let client = try await world.runClient(dialogue: NoDialogue())
            let error = await failure { try await client.role.login(.handOff()) }
            #expect((error as? UserAccountManagerError)?.underlyingError as? Cancellation == Cancellation(by: .peer))
            #expect(world.decisions(of: idp).contains("ended: cancelled here"))
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A080"))
    func `takes the question at the identity provider app back when it is cancelled at the client`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let client = try await world.runClient(dialogue: NoDialogue())
            let login = world.environment.spawn("login") { try await client.role.login(.handOff()) }
            _ = try await silent.asked.value()
            let start = world.environment.now()
            login.cancel()
            let error = await failure { try await login.value }
            #expect((error as? UserAccountManagerError)?.underlyingError as? Cancellation == Cancellation(by: .caller))
            try await silent.takenBack.value()
            // At once, and not when its time is up.
            #expect(world.environment.now() - start < .seconds(5))
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.decisions(of: idp).contains("ended: cancelled by the client"))
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T52", "T58")) func `says login-required for a hint that nobody fits, whatever the reason`() throws {
        try simulate { world in
            // Nobody can be asked; and somebody signs in, but is not who was meant.
            for dialogue in [NoDialogue() as any Dialogue, Script.allowing("alice")] {
                let broker = try await world.runBroker(dialogue: dialogue)
                let client = try await world.runClient(dialogue: NoDialogue())
                let error = await failure { try await client.role.login(.handOff(hint: "mallory")) }
                #expect(error?.code == .loginRequired)
                await client.stop()
                await broker.stop()
            }
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(try await client.role.login(.handOff(hint: "alice")).0.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T14", "T33", "T66"))
    func `says interaction-required when nobody can be asked and no account is meant`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: NoDialogue())
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .interactionRequired)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T14", "T32", "A078", "A187"))
    func `says peer-not-running without the identity provider app, and how to start it`() throws {
        try simulate { world in
            let client = try await world.runClient(dialogue: NoDialogue())
            let error = await failure { try await client.role.login(.handOff()) }
            #expect(error?.code == .peerNotRunning)
            #expect(error?.nextStep.contains("countersign-idp serve") == true)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S27", "T29", "A073", "A154"))
    func `says deadline-passed when nobody answers in time, and the question goes`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let client = try await world.runClient(dialogue: NoDialogue())
            let start = world.environment.now()
            let error = await failure { try await client.role.login(.handOff(timeout: .seconds(10))) }
            #expect(error?.code == .deadlinePassed)
            #expect(world.environment.now() - start <= .seconds(11))
            try await silent.takenBack.value()
            try await world.environment.sleep(for: .seconds(2))
            #expect(try await client.role.accounts.all().isEmpty)
            #expect(world.decisions(of: idp).contains { $0.hasPrefix("ended: ") })
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `asks again after a wrong password, and a right one goes through`() throws {
        try simulate { world in
            let asked = NotedDialogue(
                DialogueInOrder([
                    DialogueInOrder.signIn("alice", "wrong"), DialogueInOrder.signIn("alice", "alice-secret"),
                    Answer("allow"),
                ]))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(asked.kinds == [.signIn, .signIn, .consent])
            #expect(asked.questions[1].problem?.contains("do not match") == true)
            #expect(asked.questions[1].problem?.contains("Four tries") == true)
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `ends when the passwords were wrong too often`() throws {
        try simulate { world in
            let wrong = DialogueInOrder((1...9).map { _ in DialogueInOrder.signIn("alice", "wrong") })
            let broker = try await world.runBroker(dialogue: wrong)
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .accessDenied)
            #expect(try world.count("provider.code") == 0)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S27", "T35", "T60"))
    func `is refused when one is in progress and the app allows one at a time; the first is untouched`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.concurrency = .one }])
        try simulate(plan) { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let client = try await world.runClient(dialogue: NoDialogue())
            let first = world.environment.spawn("first") {
                try await client.role.login(.handOff(timeout: .seconds(20)))
            }
            _ = try await silent.asked.value()
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .alreadyInProgress)
            #expect(world.decisions(of: idp) == [])
            #expect(await failure { try await first.value }?.code == .deadlinePassed)
            await broker.stop()
            let second = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            await second.stop()
        }
    }

    @Test func `is refused unasked for ten minutes after the person refused the app twice`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.choosing(["deny", "sign-in"]))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            for _ in 1...3 {
                #expect(await failure { try await client.role.login(.handOff()) }?.code == .accessDenied)
            }
            #expect(asked.kinds == [.signIn, .consent, .consent])
            try await world.environment.sleep(for: .seconds(601))
            _ = await failure { try await client.role.login(.handOff()) }
            #expect(asked.kinds == [.signIn, .consent, .consent, .consent])
            await client.stop()
            await broker.stop()
        }
    }
}
