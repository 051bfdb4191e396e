import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import OpenIDProvider
import Platform
import TestSupport
import Testing

@Suite struct `Consent` {
    @Test(.rule("S24")) func `is asked once, and again for other scopes`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            _ = try await client.role.login(.handOff())
            #expect(asked.kinds == [.signIn, .consent])
            await client.stop()
            let narrower = try await world.runClient(dialogue: NoDialogue()) {
                $0.manifest.scopes = ["openid", "profile"]
            }
            _ = try await narrower.role.login(.handOff())
            #expect(asked.kinds == [.signIn, .consent, .consent])
            await narrower.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S24"), arguments: AppRegistryEntry.ConsentRule.allCases)
    func `is asked as the client's rule says, and a changed rule holds from the next login`(
        _ rule: AppRegistryEntry.ConsentRule
    ) throws {
        try simulate(try WorldPlan(apps: [WorldPlan.app(notes) { $0.consent = rule }])) { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            for _ in 0..<3 { _ = try await client.role.login(.handOff()) }
            let expected =
                switch rule {
                case .firstUse: 1
                case .always: 3
                case .never: 0
                }
            #expect(asked.kinds.count { $0 == .consent } == expected)
            try await world.changeRow(notes) { $0.consent = .always }
            _ = try await client.role.login(.handOff())
            #expect(asked.kinds.count { $0 == .consent } == expected + 1)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S24"), arguments: [AppRegistryEntry.ConsentRule.firstUse, .never])
    func `that was taken back at the provider has ended here too, for that client alone, and is asked for once more`(
        _ rule: AppRegistryEntry.ConsentRule
    ) throws {
        let plan = try WorldPlan(apps: [notes, photos].map { id in try WorldPlan.app(id) { $0.consent = rule } })
        try simulate(plan) { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            let neighbour = try await world.runClient(photos, dialogue: NoDialogue())
            let (account, _) = try await client.role.login(.handOff())
            _ = try await neighbour.role.login(.handOff())
            let before = asked.kinds.count { $0 == .consent }
            #expect(before == (rule == .never ? 0 : 2))

            try await world.withdrawConsent(of: account, to: notes)
            _ = try await neighbour.role.login(.handOff())
            #expect(asked.kinds.count { $0 == .consent } == before)
            _ = try await client.role.login(.handOff())
            #expect(asked.kinds.count { $0 == .consent } == before + 1)
            #expect(asked.questions.last?.lines.contains { $0.contains("took that back") } == true)
            _ = try await client.role.login(.handOff())
            #expect(asked.kinds.count { $0 == .consent } == before + 1)
            await neighbour.stop()
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `that was taken back is not given again by an invitation, which the person began, nor by a refusal`()
        throws
    {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: Script.allowing("alice"))
            let (account, _) = try await client.role.login(.handOff())
            try await world.withdrawConsent(of: account, to: notes)
            let own = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let invitation = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: own, startURL: nil, usesKeychain: true, timeout: .seconds(60))
            _ = try await broker.role.send(invitation)
            await broker.stop()

            let asked = NotedDialogue(Script.choosing(["deny"]))
            let refusing = try await world.runBroker(dialogue: asked)
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .accessDenied)
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .accessDenied)
            #expect(asked.kinds == [.consent, .consent])
            await client.stop()
            await refusing.stop()
        }
    }

    @Test(.rule("S23", "A035")) func `shows the registered name and key, and what the app calls itself only as that`()
        throws
    {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.manifest.displayName = "Your Bank" }
            _ = try await client.role.login(.handOff())
            let asker = try #require(asked.questions.last?.asker)
            #expect(asker.id == notes)
            #expect(asker.name != "Your Bank")
            #expect(asker.unverifiedName == "Your Bank")
            #expect(!asker.keyFingerprint.isEmpty)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A194", "T46")) func `lists an account that is signed out with the reason, and others can be chosen`()
        throws
    {
        try simulate { world in
            let asked = NotedDialogue(
                DialogueInOrder([Answer("other"), Answer("account-1"), Answer("allow")]))
            let broker = try await world.runBroker(dialogue: asked)
            let bob = try await broker.role.logIn(username: "bob", password: Secret("bob-secret"))
            _ = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let store = AccountStore(sealer: RecordSealer(key: world.identityProvider.keys.atRest))
            try await world.identityProvider.store.write(.full) {
                try store.replaceTokens(of: bob.key, by: nil, in: $0)
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            let shown = try #require(asked.questions.first { $0.kind == .userSelection }).choices
            #expect(shown.map(\.title) == ["alice", "bob", "Use another account"])
            #expect(shown.map { $0.disabledReason != nil } == [false, true, false])
            #expect(shown[1].disabledReason?.contains("signed out") == true)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T51", "T55")) func `lets the person choose another account, and the app gets that one`() throws {
        try simulate { world in
            let asked = NotedDialogue(
                DialogueInOrder([
                    Answer("other"), Answer("sign-in"), DialogueInOrder.signIn("bob", "bob-secret"), Answer("allow"),
                ]))
            let broker = try await world.runBroker(dialogue: asked)
            _ = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(try await client.role.login(.handOff()).0.username == "bob")
            #expect(asked.kinds == [.consent, .userSelection, .signIn, .consent])
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `is asked for every command that came by an opener, and not for one that came directly`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            _ = try await client.role.login(.handOff())
            #expect(asked.kinds == [.signIn, .consent])
            await client.stop()

            let opening = try await world.runClient(dialogue: NoDialogue()) { $0.bus = world.throughAnOpener($0.bus) }
            #expect(try await opening.role.login(.handOff()).0.username == "alice")
            #expect(asked.kinds == [.signIn, .consent, .consent])
            #expect(asked.questions.last?.lines.contains { $0.contains("opened address") } == true)
            await opening.stop()
            await broker.stop()
        }
    }

    @Test func `is not even asked for by an opener where the app is registered for direct delivery alone`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.delivery = .direct }])
        try simulate(plan) { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let opening = try await world.runClient(dialogue: NoDialogue()) { $0.bus = world.throughAnOpener($0.bus) }
            let error = await failure { try await opening.role.login(.handOff(timeout: .seconds(10))) }
            #expect(error?.code == .deadlinePassed)
            #expect(world.refusals(of: idp).contains("delivery-direct-only"))
            #expect(asked.kinds.isEmpty)
            await opening.stop()
            let direct = try await world.runClient(dialogue: NoDialogue())
            #expect(try await direct.role.login(.handOff()).0.username == "alice")
            await direct.stop()
            await broker.stop()
        }
    }
}

extension LabWorld {
    /// Takes back, at the provider, what a person allowed an app.
    fileprivate func withdrawConsent(of account: UserAccount, to id: String) async throws {
        let (subject, client) = (try Subject(account.subject), try ClientID(id))
        let found = try await providerStore.write(.full) { transaction in
            try ProviderRegistry.withdrawConsent(of: subject, to: client, in: transaction)
        }
        #expect(found)
    }

    /// A bus connection whose `authrequest` goes through another program of the same user, such as a browser.
    func throughAnOpener(_ inner: any CommandBus) -> any CommandBus {
        let browser = bus.connect(userID: 1000, executable: "/usr/bin/browser")
        return TappedBus(inner) { name, url in
            guard name == .authrequest else { return .pass }
            try await browser.open(url, at: idp, startIfNeeded: false)
            return .drop
        }
    }
}
