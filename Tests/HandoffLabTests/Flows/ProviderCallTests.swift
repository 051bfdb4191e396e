import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A running identity provider app` {
    @Test(.rule("T18"))
    func `gives a login long after its tokens expired, and after its session with the password alone`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            #expect(asked.kinds == [.signIn, .consent])
            try await world.environment.sleep(for: .seconds(11 * 3_600))
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(asked.kinds == [.signIn, .consent])
            try await world.environment.sleep(for: .seconds(24 * 3_600))
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(asked.kinds == [.signIn, .consent, .signIn])
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T19")) func `makes one call for a client's code, and no other`() throws {
        try simulate { world in
            let http = NotedHTTP(world.network)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { $0.http = http }
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            let before = http.urls.count
            _ = try await client.role.login(.handOff())
            #expect(http.urls.dropFirst(before) == [world.issuer.text + "/authorize-challenge"])
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T65")) func `has the account that came with a client's request as its own`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(try await broker.role.accounts.all().isEmpty)
            let client = try await world.runClient(dialogue: NoDialogue())
            let (account, _) = try await client.role.login(.handOff())
            #expect(try await broker.role.accounts.current()?.subject == account.subject)
            // From here on it needs no client to begin with.
            #expect(try await world.invite(broker.role, as: "alice") == .switched)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T12", "T28")) func `that gets no code for a client it invited says so, and tells the client`() throws {
        try simulate { world in
            let http = NotedHTTP(world.network)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { $0.http = http }
            let client = try await world.runClient(dialogue: Script.choosing(["switch"]))
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            http.answer { call, response in
                call.url.hasSuffix("/authorize-challenge") ? HTTPResponse(status: 500) : response
            }
            let invitation = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(60))
            #expect(await failure { try await broker.role.send(invitation) }?.code == .peerRefused)
            try await world.environment.sleep(for: .seconds(1))
            let received = world.journal.entries(of: notes).filter {
                $0.kind == .received && $0.flow == invitation.flow.text
            }
            #expect(received.map { $0.fields["command"] } == ["idpinit", "error"])
            #expect(try await client.role.accounts.all().isEmpty)
            http.answer(nil)
            #expect(try await world.invite(broker.role, as: "alice") == .loggedIn)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T13", "A072")) func `learns that a client it invited could not redeem its code`() throws {
        for usesKeychain in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let http = NotedHTTP(world.network)
                let client = try await world.runClient(dialogue: Script.choosing(["switch"])) { $0.http = http }
                http.answer { call, response in call.url.hasSuffix("/token") ? HTTPResponse(status: 503) : response }
                let error = await failure {
                    try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain)
                }
                #expect(error?.code == .clientFailed)
                #expect(try await client.role.accounts.all().isEmpty)
                http.answer(nil)
                #expect(try await world.invite(broker.role, as: "alice", usesKeychain: usesKeychain) == .loggedIn)
                await client.stop()
                await broker.stop()
            }
        }
    }
}
