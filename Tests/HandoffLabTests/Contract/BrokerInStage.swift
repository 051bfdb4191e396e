import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform

/// A real identity provider app in one stage of a flow; the client is a script.
struct BrokerInStage: AppInStage {
    static let role = AppRole.identityProvider
    private static let other = "org.example.other"

    let id = idp
    let peerID = notes
    let flow: FlowID
    let peer: LabProcess<CommandEndpoint>
    let stranger: LabProcess<CommandEndpoint>
    private var broker: LabProcess<HandoffBroker>
    private let dialogue: any Dialogue
    /// What the broker sent last, and can be answered.
    private let sent: CommandID

    static func plan() throws -> WorldPlan { try WorldPlan(apps: [WorldPlan.app(notes), WorldPlan.app(other)]) }

    init(_ world: LabWorld, _ stage: FlowStage) async throws {
        let mailbox = Mailbox(world.environment)
        let silent = SilentDialogue()
        let isAnswered =
            [.loggedIn, .failed, .refused].map(FlowStage.ended).contains(stage) || stage == .answered
        dialogue = isAnswered ? Script.allowing("alice") : silent
        broker = try await world.runBroker(dialogue: dialogue)
        let broker = broker
        peer = try await world.scripted(notes, .client, mailbox)
        stranger = try await world.scripted(Self.other, .client, Mailbox(world.environment))
        let own = try world.peer(idp)
        var flow = try FlowID(world.environment.uuid())
        var sent = CommandID(randomBytes: world.environment.randomBytes(16))

        switch stage {
        case .none: break
        case .invited, .ended(.switched), .ended(.cancelledHere):
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let invitation = try await broker.role.prepareInvitation(
                to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(60))
            flow = invitation.flow
            let open = broker.spawn("open") { try await $0.send(invitation) }
            sent = try await mailbox.first(.idpinit).id
            if stage == .ended(.switched) {
                try await peer.role.send(.authack(.init(.switched)), to: own, flow: flow, inReplyTo: sent)
            } else if stage == .ended(.cancelledHere) {
                open.cancel()
            }
        case .waiting, .ended(.timedOut), .ended(.cancelledByPeer):
            try await peer.role.send(.authrequest(try world.request(of: notes)), to: own, flow: flow)
            _ = try await silent.asked.value()
            if stage == .ended(.timedOut) { try await world.environment.sleep(for: .seconds(61)) }
            if stage == .ended(.cancelledByPeer) { try await peer.role.send(.cancel, to: own, flow: flow) }
        case .answered, .ended:
            try await peer.role.send(.authrequest(try world.request(of: notes)), to: own, flow: flow)
            sent = try await mailbox.first(.authresponse).id
            let last: Command? =
                switch stage {
                case .ended(.loggedIn): .authack(.init(.loggedIn))
                case .ended(.failed): .authack(.init(.failed))
                case .ended(.refused): .error(AuthError(.accessDenied))
                default: nil
                }
            if let last { try await peer.role.send(last, to: own, flow: flow, inReplyTo: sent) }
        }
        self.flow = flow
        self.sent = sent
        try await world.environment.sleep(for: .seconds(1))
    }

    mutating func restart(_ world: LabWorld) async throws {
        await broker.kill()
        broker = try await world.runBroker(dialogue: dialogue)
        try await world.environment.sleep(for: .seconds(1))
    }

    func stage() async throws -> FlowStage { try await broker.role.stage(of: flow) }

    func deliver(
        _ message: FlowMessage, _ world: LabWorld, by sender: LabProcess<CommandEndpoint>, isAstray: Bool
    ) async throws {
        let (command, reply): (Command, CommandID?)
        let client = sender === stranger ? Self.other : notes
        switch message {
        case .authrequest: (command, reply) = (.authrequest(try world.request(of: client)), nil)
        case .authrequestToInvitation: (command, reply) = (.authrequest(try world.request(of: client)), sent)
        case .authresponse:
            let response = SPLoginResponse(
                code: Secret("a-code"), issuer: world.issuer.text, clientID: notes, state: "s", subject: "somebody")
            (command, reply) = (.authresponse(response), sent)
        case .idpinit: (command, reply) = (.idpinit(IDPLoginRequest(userHint: .username("bob"))), nil)
        case .idpauthcodeinit:
            let request = IDPAuthCodeLoginRequest(
                code: Secret("a-code"), issuer: world.issuer.text, clientID: notes, subject: "somebody")
            (command, reply) = (.idpauthcodeinit(request), nil)
        case .error: (command, reply) = (.error(AuthError(.accessDenied)), sent)
        case .loggedIn: (command, reply) = (.authack(.init(.loggedIn)), sent)
        case .switched: (command, reply) = (.authack(.init(.switched)), sent)
        case .failed: (command, reply) = (.authack(.init(.failed)), sent)
        case .cancel: (command, reply) = (.cancel, nil)
        case .logout:
            let request = LogoutRequest(issuer: world.issuer.text, subject: "somebody", sessionID: nil, scope: .app)
            (command, reply) = (.logout(request), nil)
        case .logoutack: (command, reply) = (.logoutack(.init(.loggedOut)), sent)
        case .ping: (command, reply) = (.ping(Ping(nonce: "n")), nil)
        case .pong: (command, reply) = (.pong(Pong(nonce: "n", version: "v1.0", encryptionKeyID: "k")), sent)
        }
        try await sender.role.send(command, to: try world.peer(idp), flow: flow, inReplyTo: isAstray ? .nobodys : reply)
    }

    func stop() async {
        await broker.stop()
        await peer.stop()
        await stranger.stop()
    }
}

extension LabWorld {
    /// What a client says to ask for a login, sound in every part.
    func request(of client: String) throws -> SPLoginRequest {
        let verifier = CodeVerifier(randomBytes: environment.randomBytes(32))
        return SPLoginRequest(request: try requestObject(of: client, verifier, signedBy: client))
    }
}
