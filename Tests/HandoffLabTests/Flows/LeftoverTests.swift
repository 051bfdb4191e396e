import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `What an earlier login left` {
    @Test(.rule("A070")) func `is no hindrance: after a cancel the next login works, again and again`() throws {
        try simulate { world in
            let cancelling = NotedDialogue(ScriptedDialogue(choices: ["cancel"]))
            let allowing = Script.allowing("alice")
            let client = try await world.runClient(dialogue: NoDialogue())
            for _ in 1...10 {
                let refusing = try await world.runBroker(dialogue: cancelling)
                let error = await failure { try await client.role.login(.handOff()) }
                #expect(
                    (error as? UserAccountManagerError)?.underlyingError as? Cancellation == Cancellation(by: .peer))
                await refusing.stop()
                let broker = try await world.runBroker(dialogue: allowing)
                let (account, _) = try await client.role.login(.handOff())
                #expect(try await client.role.accounts.logout(account))
                for account in try await broker.role.accounts.all() {
                    _ = try await broker.role.accounts.logout(account)
                }
                await broker.stop()
            }
            await client.stop()
        }
    }

    @Test(.rule("A045")) func `redeems nothing: an answer to a login that was given up makes no call`() throws {
        try simulate { world in
            let late = Promise<String>()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { surroundings in
                surroundings.bus = TappedBus(surroundings.bus) { name, url in
                    name == .authresponse && late.fulfil(url) ? .drop : .pass
                }
            }
            let http = NotedHTTP(world.network)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = http }
            let first = world.environment.spawn("first") { try await client.role.login(.handOff()) }
            let answer = try await late.value()
            first.cancel()
            #expect(await failure { try await first.value } != nil)
            let (account, _) = try await client.role.login(.handOff())
            let error = await failure { try await client.role.handleIdentityProviderCommand(from: answer) }
            #expect(error?.code == .commandLate)
            #expect(http.count(of: "/token") == 1)
            #expect(try await client.role.accounts.current() == account)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A049")) func `is no code: a second login in one run has one of its own`() throws {
        try simulate { world in
            let codes = Tap()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) {
                $0.bus = codes.listening(on: $0.bus)
            }
            let http = NotedHTTP(world.network)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = http }
            for _ in 1...2 {
                let (account, _) = try await client.role.login(.handOff())
                #expect(try await client.role.accounts.logout(account))
            }
            let keys = try world.app(notes).keys
            let sent = try codes.urls(.authresponse).compactMap { url in
                try CommandURL(url, schemes: try world.app(notes).manifest.schemes).map {
                    try UnverifiedCommand($0, decryptionKeys: [keys.encryption]).fields["code"]?.stringValue
                }
            }
            #expect(Set(sent).count == 2)
            #expect(http.count(of: "/token") == 2)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T21", "A055", "A056"))
    func `at a client whose data is gone counts for nothing: an invitation is a login`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            #expect(try await world.invite(broker.role, as: "alice") == .switched)
            await client.stop()
            // Its keys are there, its records are not.
            let bare = try await world.runClient(dialogue: Script.choosing(["switch"])) {
                $0.store = InMemoryRecordStore()
            }
            #expect(try await bare.role.accounts.all().isEmpty)
            #expect(try await bare.role.accounts.current() == nil)
            #expect(try await world.invite(broker.role, as: "alice") == .loggedIn)
            #expect(try await bare.role.accounts.current()?.username == "alice")
            await bare.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T22")) func `is an account without tokens: an invitation to it is a login`() throws {
        for usesKeychain in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let client = try await world.runClient(dialogue: Script.choosing(["switch"]))
                let (account, _) = try await client.role.login(.handOff())
                let accounts = client.role.accounts.store
                try await world.app(notes).store.write(.full) {
                    try accounts.replaceTokens(of: account.key, by: nil, in: $0)
                }
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .loggedIn)
                #expect(try await client.role.accounts.hasSession(account))
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .switched)
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("A186")) func `is nobody to answer to: the identity provider app goes on, and serves the next`() throws
    {
        try simulate { world in
            let silent = SilentDialogue()
            let release = Promise<Void>()
            let broker = try await world.runBroker(dialogue: Held(silent, until: release, Script.allowing("alice")))
            let client = try await world.runClient(dialogue: NoDialogue())
            let login = client.spawn("login") { try await $0.login(.handOff(timeout: .seconds(20))) }
            _ = try await silent.asked.value()
            await client.kill()
            #expect(await failure { try await login.value } != nil)
            release.fulfil()
            try await world.environment.sleep(for: .seconds(120))
            let next = try await world.runClient(dialogue: NoDialogue())
            #expect(try await next.role.login(.handOff()).0.username == "alice")
            await next.stop()
            await broker.stop()
        }
    }
}
