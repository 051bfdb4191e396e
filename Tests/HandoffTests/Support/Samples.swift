import Basics
import Handoff
import JOSE

/// One command of each kind.
enum Samples {
    static let request = SPLoginRequest(
        request: "eyJhbGciOiJub25lIn0.e30.c2ln", userHint: .account(issuer: "http://localhost:8080", subject: "u1"),
        appName: "Notes", loginHost: "localhost")
    static let response = SPLoginResponse(
        code: Secret("the-code"), issuer: "http://localhost:8080", clientID: "notes", state: "the-state", subject: "u1")
    static let logout = LogoutRequest(
        issuer: "http://localhost:8080", subject: "u1", sessionID: "s1", scope: .everywhere,
        logoutToken: Secret("the-logout-token"))
    static let ping = Ping(nonce: "5f1c0a")

    static func command(_ name: CommandName) -> Command {
        switch name {
        case .authrequest: .authrequest(request)
        case .authresponse: .authresponse(response)
        case .idpinit: .idpinit(IDPLoginRequest(userHint: .username("alice"), startURL: "https://notes.example/today"))
        case .idpauthcodeinit:
            .idpauthcodeinit(
                IDPAuthCodeLoginRequest(
                    code: Secret("the-code"), issuer: "http://localhost:8080", clientID: "notes", subject: "u1",
                    startURL: "notes://today"))
        case .error: .error(AuthError(.accessDenied))
        case .authack: .authack(AuthAcknowledgement(.loggedIn))
        case .cancel: .cancel
        case .logout: .logout(logout)
        case .logoutack: .logoutack(LogoutAcknowledgement(.loggedOut))
        case .ping: .ping(ping)
        case .pong:
            .pong(Pong(nonce: "5f1c0a", version: "v1.0", encryptionKeyID: World.idp.encryption.thumbprint.value))
        }
    }

    /// Who sends that command, and to whom.
    static func parties(_ name: CommandName) -> (sender: Party, receiver: Party) {
        name.sender == .identityProvider ? (World.idp, World.client) : (World.client, World.idp)
    }

    /// A sound command of that kind, as another language would make it.
    static func forge(_ name: CommandName) throws -> Forge {
        let (sender, receiver) = parties(name)
        return try Forge(
            command(name), from: sender, to: receiver, inReplyTo: name.isAnswer ? World.commandID(3) : nil)
    }

    /// A verified command, sealed and received by the real parts.
    static func verified(
        _ command: Command, from sender: Party, to receiver: Party, flow: FlowID, inReplyTo: CommandID? = nil,
        id: CommandID = World.commandID(9)
    ) throws -> VerifiedCommand {
        let sealed = try sender.sealer.seal(
            command, to: receiver.peer, flow: flow, inReplyTo: inReplyTo, id: id, now: World.now)
        // The reply rule is left out, so that a flow can be shown an answer to nothing.
        let receiver = receiver.receiver(VerificationRules.standard.dangerouslyWithout("reply"))
        guard let command = try receiver.verify(sealed.url, now: World.now, registry: { World.registry($0) }) else {
            throw Fault(.internalFault)
        }
        return command
    }
}
