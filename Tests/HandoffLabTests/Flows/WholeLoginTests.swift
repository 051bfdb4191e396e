import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A whole login` {
    @Test(.rule("T14", "T49")) func `that the client begins ends in an account, and both apps know it`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            let (account, info) = try await client.role.login(.handOff())
            #expect(account.username == "alice")
            #expect(account.email == "alice@example.com")
            #expect(account.issuer == world.issuer.text)
            #expect(info.authType == .idp)
            #expect(try await client.role.accounts.current() == account)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.decisions(of: idp).contains("ended: logged_in"))
            #expect(world.refusals(of: idp) + world.refusals(of: notes) == [])
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `that the identity provider app begins ends in an account`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let asked = NotedDialogue(Script.choosing(["switch"]))
            let client = try await world.runClient(dialogue: asked)
            let outcome = try await world.invite(broker.role, as: "alice")
            #expect(outcome == .loggedIn)
            #expect(asked.kinds == [.switchConfirmation])
            #expect(try await client.role.accounts.current()?.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T7", "T23")) func `with the code sent along and the verifier in the secret group ends in an account`()
        throws
    {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let tap = Tap()
            let client = try await world.runClient(dialogue: Script.choosing(["switch"])) {
                $0.bus = tap.listening(on: $0.bus)
            }
            #expect(try await world.invite(broker.role, as: "alice", usesKeychain: true) == .loggedIn)
            #expect(try await client.role.accounts.current()?.username == "alice")
            #expect(!tap.names.contains(.authrequest))
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A187")) func `in the browser ends in an account of this app alone`() throws {
        try simulate { world in
            let client = try await world.runClient(dialogue: NoDialogue()) { surroundings in
                surroundings.opener = ScriptedBrowser(
                    http: surroundings.http, environment: surroundings.environment, username: "bob",
                    password: Secret("bob-secret"))
            }
            let (account, info) = try await client.role.login(LoginOptions(via: .local))
            #expect(account.username == "bob")
            #expect(info.authType == .webServer)
            #expect(try await client.role.accounts.current() == account)
            await client.stop()
        }
    }

    @Test func `in a second process of the app is sent by the process that owns the name`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let owner = try await world.runClient(dialogue: NoDialogue())
            let second = try await world.run(try world.app(notes), NoDialogue()) {
                try await HandoffClient(surroundings: $0)
            }
            let (account, _) = try await second.role.login(.handOff())
            #expect(try await owner.role.accounts.current() == account)
            await second.stop()
            await owner.stop()
            await broker.stop()
        }
    }

    @Test func `asks in the login-flow selection first, when nothing else is said`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let asked = NotedDialogue(ScriptedDialogue(choices: ["idp"]))
            let client = try await world.runClient(dialogue: asked)
            _ = try await client.role.login()
            #expect(asked.kinds == [.loginFlowSelection])
            #expect(asked.questions.first?.choices.map(\.id) == ["idp", "local"])
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T35", "T60", "A057", "A061"))
    func `runs five times at once for one client, and asks for consent once`() throws {
        for seed in UInt64(1)...8 {
            try simulate(seed: seed) { world in
                let asked = NotedDialogue(Script.allowing("alice"))
                let broker = try await world.runBroker(dialogue: asked)
                let client = try await world.runClient(dialogue: NoDialogue())
                let logins = (1...5).map { number in
                    world.environment.spawn("login \(number)") { try await client.role.login(.handOff()) }
                }
                var subjects: Set<String> = []
                for login in logins { subjects.insert(try await login.value.0.subject) }
                #expect(subjects.count == 1)
                #expect(try await client.role.accounts.all().count == 1)
                #expect(asked.kinds == [.signIn, .consent])
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test func `finds the identity provider app started by the bus where it is installed`() throws {
        try simulate { world in
            let started = Promise<LabProcess<HandoffBroker>>()
            world.bus.install(idp) {
                started.fulfil(try await world.runBroker(dialogue: Script.allowing("alice")))
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            try await started.value().stop()
        }
    }
}

extension LabWorld {
    /// Signs a user in at the broker and hands the login to a client.
    @discardableResult
    func invite(
        _ broker: HandoffBroker, as name: String, to id: String = notes, startURL: String? = nil,
        usesKeychain: Bool = false
    ) async throws -> AuthAcknowledgement.Outcome {
        let account = try await broker.logIn(username: name, password: Secret("\(name)-secret"))
        let invitation = try await broker.prepareInvitation(
            to: try AppID(id), account: account, startURL: startURL, usesKeychain: usesKeychain, timeout: .seconds(60))
        return try await broker.send(invitation)
    }
}
