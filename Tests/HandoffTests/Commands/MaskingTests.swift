import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// What a log, a trace or a printed value shows of a command.
@Suite struct MaskingTests {
    private static let secrets = [
        "canary-code", "canary-state", "canary-nonce", "canary-challenge", "canary-jti", "canary-sid",
    ]

    private func commands() throws -> [Command] {
        let claims: JSONValue = [
            "client_id": "notes", "aud": "http://localhost:8080", "redirect_uri": "notes://done", "scope": "openid",
            "prompt": "consent", "state": "canary-state", "nonce": "canary-nonce", "code_challenge": "canary-challenge",
            "jti": "canary-jti", "login_hint": "canary-code",
        ]
        let request = try JWS.sign(
            claims.serialized(), header: ["typ": "oauth-authz-req+jwt"], by: World.client.command)
        return [
            .authrequest(SPLoginRequest(request: request, userHint: .username("alice"))),
            .authrequest(SPLoginRequest(request: "canary-code")),
            .authresponse(
                SPLoginResponse(
                    code: Secret("canary-code"), issuer: "i", clientID: "c", state: "canary-state", subject: "u1")),
            .idpauthcodeinit(
                IDPAuthCodeLoginRequest(code: Secret("canary-code"), issuer: "i", clientID: "c", subject: "u1")),
            .logout(
                LogoutRequest(
                    issuer: "i", subject: "u1", sessionID: "canary-sid", scope: .everywhere,
                    logoutToken: Secret("canary-code"))),
        ]
    }

    /// The places where a request token would show.
    private func tokens(_ command: Command) -> [String] {
        guard case .authrequest(let request) = command else { return [] }
        return request.request.split(separator: ".").map(String.init)
    }

    @Test(.rule("S19", "A161")) func `masked fields hold no code, state, nonce or request token`() throws {
        for command in try commands() {
            let shown = JSONValue.object(command.maskedFields).serializedText
            for secret in Self.secrets + tokens(command) { #expect(!shown.contains(secret), "\(command.name)") }
            // The canaries are there to be found.
            let whole = JSONValue.object(command.fields).serializedText
            #expect(whole.contains("canary") || tokens(command).allSatisfy { whole.contains($0) })
        }
    }

    @Test func `masked fields keep what explains the command`() throws {
        let commands = try commands()
        let request = commands[0].maskedFields["request"]
        #expect(request?["client_id"] == "notes")
        #expect(request?["scope"] == "openid")
        #expect(request?["state"] == nil)
        #expect(commands[1].maskedFields["request"] == "unreadable")
        #expect(commands[2].maskedFields["sub"] == "u1")
        #expect(commands[2].maskedFields["code"] == "••••")
        #expect(commands[2].maskedFields["state"] == "••••")
        #expect(Samples.command(.ping).maskedFields == Samples.command(.ping).fields)
    }

    @Test func `a printed command says no more than a masked one`() throws {
        for command in try commands() {
            let sealed = try World.idp.sealer.seal(
                command, to: World.client.peer, flow: try World.flow(), id: World.commandID(), now: World.now)
            var texts = ["\(command)", String(reflecting: command), "\(sealed)", String(reflecting: sealed)]
            dump(command, to: &texts[0])
            dump(sealed, to: &texts[1])
            if case .authrequest(let request) = command { texts += ["\(request)", String(reflecting: request)] }
            if case .logout(let request) = command { texts += ["\(request)", String(reflecting: request)] }
            if case .authresponse(let response) = command { texts += ["\(response)", String(reflecting: response)] }
            for text in texts {
                for secret in Self.secrets + tokens(command) + [sealed.url] { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test func `a printed flow hides its state and nonce`() throws {
        let flow = ClientFlow(
            asking: World.idp.id, id: try World.flow(), origin: .client, issuer: "i", clientID: "c",
            state: "canary-state", nonce: "canary-nonce", request: World.commandID(), deadline: World.now)
        var text = "\(flow) \(String(reflecting: flow))"
        dump(flow, to: &text)
        #expect(!text.contains("canary"))
        #expect(text.contains(flow.id.text))
    }
}
