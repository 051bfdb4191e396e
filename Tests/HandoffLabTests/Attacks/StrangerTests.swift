import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `Another registered client` {
    private static let other = "org.example.other"

    private func plan() throws -> WorldPlan {
        try WorldPlan(apps: [WorldPlan.app(notes), WorldPlan.app(Self.other)])
    }

    /// What the other client says into a flow that is not its own.
    private static let intrusions: [Command] = [
        .cancel, .error(AuthError(.accessDenied)), .authack(.init(.loggedIn)),
    ]

    @Test(.rule("S8", "S21", "T17"))
    func `cannot end a login that is not its own: uncorrelated, three times, and the login completes`() throws {
        try simulate(try plan()) { world in
            let silent = SilentDialogue()
            let release = Promise<Void>()
            let broker = try await world.runBroker(dialogue: Held(silent, until: release, Script.allowing("alice")))
            let client = try await world.runClient(dialogue: NoDialogue())
            let stranger = try await world.endpoint(of: Self.other, role: .client)
            let login = world.environment.spawn("login") { try await client.role.login(.handOff()) }
            _ = try await silent.asked.value()

            // The stranger knows the flow, and even the command that was asked.
            let sent = world.journal.lines.first { $0.app == notes && $0.entry.message.hasPrefix("authrequest") }
            let flow = try FlowID(try #require(sent?.entry.flow))
            let received = world.journal.lines.first { $0.app == idp && $0.entry.fields["command"] == "authrequest" }
            let asked = try CommandID(try #require(received?.entry.fields["jti"]?.stringValue))
            for intrusion in Self.intrusions {
                try await stranger.role.send(
                    intrusion, to: try world.peer(idp), flow: flow, inReplyTo: intrusion == .cancel ? nil : asked)
                try await world.environment.sleep(for: .seconds(1))
                #expect(try await broker.role.stage(of: flow) == .waiting)
            }
            #expect(world.refusals(of: idp) == Array(repeating: "command-uncorrelated", count: 3))

            release.fulfil()
            #expect(try await login.value.0.username == "alice")
            await stranger.stop()
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S2")) func `cannot get a code with somebody else's request object`() throws {
        try simulate(try plan()) { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            // The request of one client, passed on as the other's.
            let stolen = Promise<String>()
            let client = try await world.runClient(dialogue: NoDialogue()) { surroundings in
                surroundings.bus = TappedBus(surroundings.bus) { name, url in
                    if name == .authrequest { stolen.fulfil(url) }
                    return name == .authrequest ? .drop : .pass
                }
            }
            let login = world.environment.spawn("login") {
                try await client.role.login(.handOff(timeout: .seconds(10)))
            }
            let url = try await stolen.value()
            let request = try world.opened(url, by: idp)
            let stranger = try await world.endpoint(of: Self.other, role: .client)
            try await stranger.role.send(
                .authrequest(SPLoginRequest(request: request)), to: try world.peer(idp),
                flow: try FlowID(world.environment.uuid()))
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp).count == 1)
            #expect(asked.kinds.isEmpty)
            #expect(try world.count("provider.code") == 0)
            #expect(await failure { try await login.value }?.code == .deadlinePassed)
            await stranger.stop()
            await client.stop()
            await broker.stop()
        }
    }
}
