import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A command that nobody asked for` {
    private static let other = "org.example.other"

    @Test(.rule("S6", "A029", "A036")) func `logs nobody in: no account changes, and a line in the log is all`() throws
    {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let http = NotedHTTP(world.network)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = http }
            let (alice, _) = try await client.role.login(.handOff())
            await broker.stop()

            // Signed by the identity provider app itself, for the right client, at the right issuer.
            let rogue = try await world.endpoint(of: idp, role: .identityProvider)
            let calls = http.urls.count
            let answer = SPLoginResponse(
                code: Secret("a-code"), issuer: world.issuer.text, clientID: notes, state: "a-state", subject: "mallory"
            )
            let guess = CommandID(randomBytes: [UInt8](repeating: 7, count: 16))
            try await rogue.role.send(
                .authresponse(answer), to: try world.peer(notes), flow: try FlowID(world.environment.uuid()),
                inReplyTo: guess)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: notes) == ["flow-unknown"])
            #expect(try await client.role.accounts.all() == [alice])
            #expect(try await client.role.accounts.current() == alice)
            #expect(http.urls.count == calls)
            await rogue.stop()

            let next = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(try await client.role.login(.handOff()).0.key == alice.key)
            await client.stop()
            await next.stop()
        }
    }

    @Test(.rule("T15")) func `of an app that is not registered gets no answer and no flow`() throws {
        try simulate(try WorldPlan(apps: [WorldPlan.app(notes), WorldPlan.app(Self.other)])) { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            _ = try await world.home.write(.full) { transaction in
                try transaction.scoped(to: "broker") { try AppRegistry.remove(try AppID(Self.other), in: $0) }
            }
            let stranger = try await world.endpoint(of: Self.other, role: .client)
            let flow = try FlowID(world.environment.uuid())
            // It does not even learn that somebody is there.
            await #expect(throws: Fault(.deadlinePassed)) {
                try await stranger.role.send(
                    .authrequest(SPLoginRequest(request: "e30.e30.AA")), to: try world.peer(idp), flow: flow)
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            let url = try world.sealed(.authrequest(SPLoginRequest(request: "e30.e30.AA")), by: Self.other, flow: flow)
            try await stranger.bus.open(url, at: idp, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp) == ["unknown-sender", "unknown-sender"])
            #expect(try world.count("broker.flow") == 0)
            #expect(asked.kinds.isEmpty)

            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await stranger.stop()
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A037", "A038")) func `that is no command leaves a waiting login alone, and the login completes`()
        throws
    {
        try simulate { world in
            let silent = SilentDialogue()
            let release = Promise<Void>()
            let broker = try await world.runBroker(dialogue: Held(silent, until: release, Script.allowing("alice")))
            let client = try await world.runClient(dialogue: NoDialogue())
            let login = world.environment.spawn("login") { try await client.role.login(.handOff()) }
            _ = try await silent.asked.value()
            for url in [
                "https://example.com/?code=a&state=b", "fb1234://authorize#access_token=a",
                "\(notes)://callback?code=a",
            ] {
                #expect(!client.role.claims(url))
                #expect(try await client.role.handleIdentityProviderCommand(from: url) == nil)
            }
            #expect(world.refusals(of: notes).isEmpty)
            release.fulfil()
            #expect(try await login.value.0.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }
}

extension LabWorld {
    /// A command of one app to the identity provider app, sealed with the app's own keys.
    func sealed(_ command: Command, by id: String, flow: FlowID) throws -> String {
        try CommandSealer(sender: try AppID(id), key: try app(id).keys.command).seal(
            command, to: try peer(idp), flow: flow, id: CommandID(randomBytes: environment.randomBytes(16)),
            now: environment.now()
        ).url
    }
}
