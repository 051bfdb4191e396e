import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `An invitation on the wire` {
    /// The commands of one flow, in the order in which they were sent by whomever.
    private static func commands(_ world: LabWorld, _ flow: FlowID) -> [JSONValue?] {
        world.journal.lines.filter { $0.entry.flow == flow.text && $0.entry.kind == .sent }
            .map { $0.entry.fields["command"] }
    }

    private static func invite(
        _ world: LabWorld, _ broker: HandoffBroker, as name: String
    ) async throws -> (FlowID, AuthAcknowledgement.Outcome) {
        let account = try await broker.logIn(username: name, password: Secret("\(name)-secret"))
        let invitation = try await broker.prepareInvitation(
            to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(60))
        let outcome = try await broker.send(invitation)
        try await world.environment.sleep(for: .seconds(1))
        return (invitation.flow, outcome)
    }

    @Test(.rule("T10")) func `to the current account is two messages, and no login begins`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            let codes = try world.count("provider.code")
            let (flow, outcome) = try await Self.invite(world, broker.role, as: "alice")
            #expect(outcome == .switched)
            #expect(Self.commands(world, flow) == ["idpinit", "authack"])
            #expect(try world.count("provider.code") == codes)
            #expect(world.refusals(of: notes) + world.refusals(of: idp) == [])
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T11")) func `to a new account is a login in its own flow`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: Script.choosing(["switch"]))
            let (flow, outcome) = try await Self.invite(world, broker.role, as: "alice")
            #expect(outcome == .loggedIn)
            #expect(Self.commands(world, flow) == ["idpinit", "authrequest", "authresponse", "authack"])
            #expect(world.refusals(of: notes) + world.refusals(of: idp) == [])
            await client.stop()
            await broker.stop()
        }
    }
}
