import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct `What a login carries` {
    @Test(.rule("A004", "A007"))
    func `is the same through the login-flow selection and without it, a plus sign included`() throws {
        let name = "user+tag@example.com"
        try simulate { world in
            let hints = Mutex<[UserHint?]>([])
            let rogue = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    let incoming = try? await endpoint.accept(url, from: delivery.sender),
                    case .authrequest(let request) = incoming.command.command
                else { return }
                hints.withLock { $0.append(request.userHint) }
            }
            let client = try await world.runClient(dialogue: ScriptedDialogue(choices: ["idp"]))
            for via in [LoginOptions.Via.ask, .identityProvider(nil)] {
                let error = await failure {
                    try await client.role.login(LoginOptions(via: via, userHint: name, timeout: .seconds(5)))
                }
                #expect(error?.code == .deadlinePassed)
            }
            #expect(hints.withLock { $0 } == [.username(name), .username(name)])
            await client.stop()
            await rogue.stop()
        }
    }

    @Test(.rule("T8")) func `is addressed to the scheme that the manifest names, which is none of its own`() throws {
        let managed = "com.example.managed"
        try simulate { world in
            let tap = Tap()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) {
                $0.manifest.schemes = [managed]
            }
            // Whoever manages the machine has written the manifest.
            let client = try await world.runClient(dialogue: NoDialogue()) {
                $0.manifest.identityProviders[0].scheme = managed
                $0.bus = tap.listening(on: $0.bus)
            }
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(tap.names.contains(.authrequest))
            #expect(tap.names.flatMap(tap.urls).allSatisfy { $0.hasPrefix("\(managed)://") })
            await client.stop()
            // The scheme that it would have otherwise is nobody's here.
            let other = try await world.runClient(dialogue: NoDialogue())
            #expect(await failure { try await other.role.login(.handOff()) } != nil)
            #expect(try world.count("broker.flow") == 1)
            await other.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T54")) func `are its scopes, and the account says which of them it got`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            for scopes in [["openid", "profile"], ["openid", "email", "profile"]] {
                let client = try await world.runClient(dialogue: NoDialogue()) { $0.manifest.scopes = scopes }
                let (account, _) = try await client.role.login(.handOff())
                #expect(account.scopes.sorted() == scopes.sorted())
                #expect((account.email != nil) == scopes.contains("email"))
                await client.stop()
            }
            await broker.stop()
        }
    }

    @Test(.rule("A157")) func `is a name in any script, as it was written`() throws {
        let (user, name) = ("björn.李🦊", "Björn Škoda 李 🦊")
        var plan = try WorldPlan.usual()
        plan.users = [
            .init(user, password: Secret("\(user)-secret"), claims: ["name": .string(name)])
        ]
        try simulate(plan) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing(user))
            let client = try await world.runClient(dialogue: NoDialogue())
            let (account, _) = try await client.role.login(.handOff(hint: user))
            #expect(account.username.utf8.elementsEqual(user.utf8))
            #expect(account.displayName.map { $0.utf8.elementsEqual(name.utf8) } == true)
            let listed = try await client.role.accounts.all().first
            #expect(listed?.displayName.map { $0.utf8.elementsEqual(name.utf8) } == true)
            let claims = try await client.role.accounts.userInfo(for: account).claims
            #expect(claims["name"]?.stringValue.map { $0.utf8.elementsEqual(name.utf8) } == true)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A079")) func `is patience: a person may take almost five minutes`() throws {
        for seconds in [290, 310] {
            try simulate { world in
                let slow = SlowDialogue(
                    delay: .seconds(seconds), environment: world.environment, inner: Script.allowing("alice"))
                let broker = try await world.runBroker(dialogue: slow)
                _ = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
                let client = try await world.runClient(dialogue: NoDialogue())
                let error = await failure { try await client.role.login(.handOff(timeout: .seconds(300))) }
                #expect(error?.code == (seconds < 300 ? nil : .deadlinePassed))
                await client.stop()
                await broker.stop()
            }
        }
    }
}
