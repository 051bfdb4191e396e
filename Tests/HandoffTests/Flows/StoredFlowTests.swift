import Basics
import FoundationEssentials
import Handoff
import JOSE
import Testing

/// Flows are stored before anything is done, and go on from there.
@Suite struct StoredFlowTests {
    private func stored<Flow: Codable>(_ flow: Flow) throws -> Flow {
        try JSONDecoder().decode(Flow.self, from: try JSONEncoder().encode(flow))
    }

    @Test func `a client's flow is the same after it was stored, in every state`() throws {
        var flow = ClientFlow(
            asking: World.idp.id, id: try World.flow(), origin: .invitation, issuer: FlowFixture.issuer,
            clientID: "notes",
            state: "the-state", nonce: "n", request: FlowFixture.request, deadline: FlowFixture.deadline,
            startURL: "notes://today")
        #expect(try stored(flow) == flow)
        flow = try stored(flow)
        let answer = try FlowFixture.fromIDP(FlowFixture.response())
        #expect(try flow.receive(.command(answer)) == [.redeem(code: Secret("the-code"), subject: "u1")])
        #expect(try stored(flow) == flow)
        flow = try stored(flow)
        _ = try flow.receive(.redeemed(subject: "u1"))
        #expect(try stored(flow) == flow)
        #expect(try stored(flow).outcome == .loggedIn(subject: "u1"))
    }

    @Test func `a stored client's flow holds no code`() throws {
        var flow = ClientFlow(
            asking: World.idp.id, id: try World.flow(), origin: .client, issuer: FlowFixture.issuer, clientID: "notes",
            state: "the-state", nonce: "n", request: FlowFixture.request, deadline: FlowFixture.deadline)
        _ = try flow.receive(.command(try FlowFixture.fromIDP(FlowFixture.response(code: "canary-code"))))
        #expect(!String(decoding: try JSONEncoder().encode(flow), as: UTF8.self).contains("canary"))
    }

    @Test func `a broker's flow is the same after it was stored, in every state`() throws {
        let asked = try FlowFixture.fromClient(.authrequest(Samples.request), irt: nil, id: FlowFixture.request)
        var flow = BrokerFlow(asked: asked, deadline: FlowFixture.deadline)
        #expect(try stored(flow) == flow)
        flow = try stored(flow)
        _ = try flow.receive(.codeObtained(Samples.response, id: FlowFixture.answer))
        #expect(try stored(flow) == flow)
        #expect(!String(decoding: try JSONEncoder().encode(flow), as: UTF8.self).contains("the-code"))
        flow = try stored(flow)
        let ack = try FlowFixture.fromClient(.authack(.init(.failed)), irt: FlowFixture.answer)
        #expect(try flow.receive(.command(ack)) == [.resolve(.acknowledged(.failed))])
        #expect(try stored(flow) == flow)
    }

    @Test func `a stored id that is none is refused`() throws {
        for text in ["\"x\"", "\"\"", "1", "null"] {
            let data = Data(text.utf8)
            #expect(throws: (any Error).self) { try JSONDecoder().decode(FlowID.self, from: data) }
            #expect(throws: (any Error).self) { try JSONDecoder().decode(CommandID.self, from: data) }
            #expect(throws: (any Error).self) { try JSONDecoder().decode(AppID.self, from: data) }
        }
    }
}
