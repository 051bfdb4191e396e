import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform

/// A real client in one stage of a flow; the identity provider app is a script.
struct ClientInStage: AppInStage {
    static let role = AppRole.client
    private static let other = "org.example.other"

    let id = notes
    let peerID = idp
    let flow: FlowID
    let peer: LabProcess<CommandEndpoint>
    let stranger: LabProcess<CommandEndpoint>
    private var client: LabProcess<HandoffClient>
    private let request: CommandID
    private let state: String

    static func plan() throws -> WorldPlan { try WorldPlan(apps: [WorldPlan.app(notes), WorldPlan.app(other)]) }

    init(_ world: LabWorld, _ stage: FlowStage) async throws {
        let mailbox = Mailbox(world.environment)
        var flow = try FlowID(world.environment.uuid())
        var request = CommandID(randomBytes: world.environment.randomBytes(16))
        var state = "some-state"
        let isLoggedIn = stage == .ended(.loggedIn) || stage == .ended(.switched)
        let silent = SilentDialogue()
        if isLoggedIn {
            // A whole login, with the real identity provider app.
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            let info = try await client.role.login(.handOff()).1
            flow = try FlowID(info.flow ?? "")
            await client.stop()
            await broker.stop()
        }
        client = try await Self.run(world, silent)
        let client = client
        peer = try await world.scripted(idp, .identityProvider, mailbox)
        stranger = try await world.scripted(Self.other, .identityProvider, Mailbox(world.environment))
        let own = try world.peer(notes)

        switch stage {
        case .none, .ended(.loggedIn): break
        case .invited:
            try await peer.role.send(
                .idpinit(IDPLoginRequest(userHint: .username("bob"))), to: own, flow: flow)
            _ = try await silent.asked.value()
        case .ended(.switched):
            let account = try await client.role.accounts.all()[0]
            flow = try FlowID(world.environment.uuid())
            let hint = UserHint.account(issuer: account.issuer, subject: account.subject)
            try await peer.role.send(.idpinit(IDPLoginRequest(userHint: hint)), to: own, flow: flow)
            _ = try await mailbox.first(.authack)
        case .waiting, .answered, .ended:
            let login = client.spawn("login") { try await $0.login(.handOff(timeout: .seconds(30))) }
            let asked = try await mailbox.first(.authrequest)
            flow = asked.flow
            request = asked.id
            state = try Self.state(in: asked)
            try await Self.end(stage, world, login, client, peer, flow, request, state)
        }
        self.flow = flow
        self.request = request
        self.state = state
        try await world.environment.sleep(for: .seconds(1))
    }

    private static func run(
        _ world: LabWorld, _ dialogue: any Dialogue
    ) async throws -> LabProcess<HandoffClient> {
        let stranger = try world.app(other)
        return try await world.runClient(dialogue: dialogue) { surroundings in
            surroundings.http = HeldHTTP(surroundings.http, isHeld: true)
            // A second identity provider app, pinned as well.
            var entry = surroundings.manifest.identityProviders[0]
            entry.id = other
            entry.scheme = stranger.manifest.schemes[0]
            entry.commandKey = stranger.keys.command.verificationKey.jwk.json
            entry.encryptionKey = stranger.keys.encryption.encryptionKey.jwk.json
            surroundings.manifest.identityProviders.append(entry)
        }
    }

    private static func state(in request: VerifiedCommand) throws -> String {
        guard case .authrequest(let asked) = request.command else { throw Fault(.commandMeaning) }
        let claims = try JSONValue(
            parsing: try Base64URL.decode(String(asked.request.split(separator: ".")[1])))
        return claims["state"]?.stringValue ?? ""
    }

    /// From `awaiting answer` to the stage that is wanted.
    private static func end(
        _ stage: FlowStage, _ world: LabWorld, _ login: Task<(UserAccount, AuthInfo), any Error>,
        _ client: LabProcess<HandoffClient>, _ peer: LabProcess<CommandEndpoint>, _ flow: FlowID, _ request: CommandID,
        _ state: String
    ) async throws {
        let own = try world.peer(notes)
        func answer(issuer: String) -> Command {
            .authresponse(
                SPLoginResponse(
                    code: Secret("a-code"), issuer: issuer, clientID: notes, state: state, subject: "somebody"))
        }
        switch stage {
        case .answered:
            try await peer.role.send(answer(issuer: world.issuer.text), to: own, flow: flow, inReplyTo: request)
        case .ended(.failed):
            try await peer.role.send(answer(issuer: "http://localhost:1"), to: own, flow: flow, inReplyTo: request)
        case .ended(.refused):
            try await peer.role.send(.error(AuthError(.accessDenied)), to: own, flow: flow, inReplyTo: request)
        case .ended(.cancelledByPeer): try await peer.role.send(.cancel, to: own, flow: flow)
        case .ended(.cancelledHere): login.cancel()
        case .ended(.timedOut): try await world.environment.sleep(for: .seconds(31))
        case .ended(.superseded):
            client.spawn("newer login") {
                var options = LoginOptions.handOff()
                options.supersedesPending = true
                return try await $0.login(options)
            }
        default: break
        }
    }

    mutating func restart(_ world: LabWorld) async throws {
        await client.kill()
        client = try await Self.run(world, SilentDialogue())
        try await world.environment.sleep(for: .seconds(1))
    }

    func stage() async throws -> FlowStage { try await client.role.stage(of: flow) }

    func deliver(
        _ message: FlowMessage, _ world: LabWorld, by sender: LabProcess<CommandEndpoint>, isAstray: Bool
    ) async throws {
        let own = try world.peer(notes)
        let (command, reply): (Command, CommandID?)
        switch message {
        case .authrequest: (command, reply) = (.authrequest(SPLoginRequest(request: "e30.e30.e30")), nil)
        case .authrequestToInvitation:
            (command, reply) = (.authrequest(SPLoginRequest(request: "e30.e30.e30")), request)
        case .authresponse:
            let response = SPLoginResponse(
                code: Secret("a-code"), issuer: world.issuer.text, clientID: notes, state: state, subject: "somebody")
            (command, reply) = (.authresponse(response), request)
        case .idpinit: (command, reply) = (.idpinit(IDPLoginRequest(userHint: .username("bob"))), nil)
        case .idpauthcodeinit:
            let slot = KeychainSlot(verifier: Secret("v"), nonce: "n", username: "bob")
            try await world.group.store(for: idp).put(
                SharedSecret(
                    name: flow.text, owner: notes, expires: world.environment.now() + .seconds(60),
                    value: try slot.sealed(to: own.encryptionKey)))
            let request = IDPAuthCodeLoginRequest(
                code: Secret("a-code"), issuer: world.issuer.text, clientID: notes, subject: "somebody")
            (command, reply) = (.idpauthcodeinit(request), nil)
        case .error: (command, reply) = (.error(AuthError(.accessDenied)), request)
        case .loggedIn: (command, reply) = (.authack(.init(.loggedIn)), request)
        case .switched: (command, reply) = (.authack(.init(.switched)), request)
        case .failed: (command, reply) = (.authack(.init(.failed)), request)
        case .cancel: (command, reply) = (.cancel, nil)
        case .logout:
            let request = LogoutRequest(issuer: world.issuer.text, subject: "somebody", sessionID: nil, scope: .app)
            (command, reply) = (.logout(request), nil)
        case .logoutack: (command, reply) = (.logoutack(.init(.loggedOut)), request)
        case .ping: (command, reply) = (.ping(Ping(nonce: "n")), nil)
        case .pong: (command, reply) = (.pong(Pong(nonce: "n", version: "v1.0", encryptionKeyID: "k")), request)
        }
        try await sender.role.send(command, to: own, flow: flow, inReplyTo: isAstray ? .nobodys : reply)
    }

    func stop() async {
        await client.stop()
        await peer.stop()
        await stranger.stop()
    }
}
