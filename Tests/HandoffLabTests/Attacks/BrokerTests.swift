import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A broken-into identity provider app` {
    private static let closed = "org.example.closed"

    private func plan() throws -> WorldPlan {
        try WorldPlan(apps: [WorldPlan.app(notes), WorldPlan.app(Self.closed) { $0.groups = [] }])
    }

    /// All that the broker has: its connection with its key, and the tokens of who is signed in.
    private func loot(_ world: LabWorld, _ broker: HandoffBroker) async throws -> (ProviderConnection, TokenSet) {
        let account = try await broker.logIn(username: "alice", password: Secret("alice-secret"))
        let store = try world.app(idp).store
        let tokens = try store.read { try broker.accounts.store.tokens(of: account.key, in: $0) }
        return (try world.connection(of: idp, .assertion), try #require(tokens))
    }

    private func proof(_ tokens: TokenSet) throws -> [(String, String)] {
        [
            ("id_token_hint", try #require(tokens.idToken).unmasked),
            ("device_secret", try #require(tokens.deviceSecret).unmasked),
        ]
    }

    @Test func `gets no code without the client's own request object, and the provider writes no row`() throws {
        try simulate(try plan()) { world in
            let broker = try await world.runBroker(dialogue: NoDialogue())
            let (connection, tokens) = try await loot(world, broker.role)
            let codes = try world.count("provider.code")
            let verifier = CodeVerifier(randomBytes: world.environment.randomBytes(32))
            let proof = try proof(tokens)

            func fields(for client: String) -> [(String, String)] {
                [
                    ("redirect_uri", "\(client)://callback"), ("scope", "openid profile"),
                    ("code_challenge", verifier.challenge.text), ("code_challenge_method", "S256"), ("nonce", "n-1"),
                    ("response_type", "code"),
                ]
            }
            // Asked in its own name for the other's redirect URI, and as an invitation it may not make.
            for extra in [[("client_id", Self.closed)], [("for_client", Self.closed)]] {
                await #expect(throws: OAuthError.self) {
                    try await connection.challenge(fields(for: Self.closed) + extra + proof, flow: nil)
                }
            }
            // A request object that the broker signed itself.
            let forged = try world.requestObject(of: Self.closed, verifier, signedBy: idp)
            await #expect(throws: OAuthError.self) {
                try await connection.challenge([("request", forged)] + proof, flow: nil)
            }
            #expect(try world.count("provider.code") == codes)

            // With the client's own, there is one.
            let genuine = try world.requestObject(of: Self.closed, verifier, signedBy: Self.closed)
            let answer = try await connection.challenge([("request", genuine)] + proof, flow: nil)
            #expect(answer["authorization_code"] != nil)
            #expect(try world.count("provider.code") == codes + 1)
            await broker.stop()
        }
    }

    @Test(.rule("S3")) func `cannot redeem the code that it handed over, and the client still can`() throws {
        try simulate(try plan()) { world in
            let code = Promise<Secret<String>>()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { surroundings in
                surroundings.http = TappedHTTP(inner: surroundings.http) { call, response in
                    guard call.url.hasSuffix("/authorize-challenge"),
                        call.body.firstRange(of: Array("request=".utf8)) != nil,
                        let json = try? JSONValue(parsing: response.body),
                        let text = json["authorization_code"]?.stringValue
                    else { return }
                    // Before the client has it.
                    if code.fulfil(Secret(text)) { await Self.tryToRedeem(text, world) }
                }
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(code.outcome != nil)
            await client.stop()
            await broker.stop()
        }
    }

    private static func tryToRedeem(_ code: String, _ world: LabWorld) async {
        let verifier = CodeVerifier(randomBytes: world.environment.randomBytes(32))
        do {
            // As the client it is for, with the broker's key and a verifier of its own; and in its own name.
            let keys = try world.app(idp).keys
            let asClient = ProviderConnection(
                issuer: world.issuer, clientID: try ClientID(notes), key: keys.oauth, authentication: .keyProofOnly,
                http: world.network, environment: world.environment, journal: InMemoryJournal())
            for connection in [asClient, try world.connection(of: idp, .assertion)] {
                let error = await #expect(throws: OAuthError.self) {
                    try await connection.token(
                        [
                            ("grant_type", "authorization_code"), ("code", code),
                            ("redirect_uri", "\(notes)://callback"), ("code_verifier", verifier.text.unmasked),
                        ], flow: nil)
                }
                #expect(error?.code == .invalidGrant)
            }
        } catch {
            Issue.record(error)
        }
    }

    @Test(.rule("S7", "S20", "A039"))
    func `that answers for another issuer is refused before anyone is contacted, and both are named`() throws {
        try simulate(try plan()) { world in
            let wrong = "http://localhost:8124"
            let rogue = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
                await world.answer(delivery, at: endpoint) { request, object in
                    SPLoginResponse(
                        code: Secret("a-code"), issuer: wrong, clientID: request.sender.text,
                        state: object.state?.text ?? "", subject: "somebody")
                }
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            let error = await failure { try await client.role.login(.handOff()) }
            #expect(error?.code == .answerIssuerMismatch)
            #expect(error?.text.contains(wrong) == true)
            #expect(error?.text.contains(world.issuer.text) == true)
            #expect(error?.text.contains("character 21: “4” against “3”") == true)
            #expect(world.journal.entries(of: notes).allSatisfy { $0.kind != .http })
            await client.stop()
            await rogue.stop()
        }
    }

    @Test(.rule("S25")) func `that answers with another account than the one asked for is refused`() throws {
        try simulate(try plan()) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            await broker.stop()
            let told = Promise<Command>()
            let rogue = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
                if case .open(let url) = delivery.content, Tap.command(in: url) == .authack {
                    if let ack = try? await endpoint.accept(url, from: delivery.sender)?.command.command {
                        told.fulfil(ack)
                    }
                    return
                }
                await world.answer(delivery, at: endpoint) { request, object in
                    SPLoginResponse(
                        code: Secret("a-code"), issuer: world.issuer.text, clientID: request.sender.text,
                        state: object.state?.text ?? "", subject: "somebody-else")
                }
            }
            let error = await failure { try await client.role.login(.handOff(hint: "alice")) }
            #expect(error?.code == .wrongAccount)
            #expect(try await told.value() == .authack(.init(.failed)))
            #expect(try await client.role.accounts.all().count == 1)
            await client.stop()
            await rogue.stop()
        }
    }

    @Test(.rule("S6", "A028", "A154"))
    func `that sends back another state than it got is refused, and the login waits on`() throws {
        try simulate(try plan()) { world in
            let rogue = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
                await world.answer(delivery, at: endpoint) { request, _ in
                    SPLoginResponse(
                        code: Secret("a-code"), issuer: world.issuer.text, clientID: request.sender.text,
                        state: "another", subject: "somebody")
                }
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            let error = await failure { try await client.role.login(.handOff(timeout: .seconds(10))) }
            #expect(error?.code == .deadlinePassed)
            #expect(world.refusals(of: notes) == ["answer-state-mismatch"])
            await client.stop()
            await rogue.stop()
        }
    }
}

extension LabWorld {
    /// An app's connection to the provider, with its own key.
    func connection(
        of id: String, _ authentication: ProviderConnection.Authentication
    ) throws -> ProviderConnection {
        ProviderConnection(
            issuer: issuer, clientID: try ClientID(id), key: try app(id).keys.oauth, authentication: authentication,
            http: network, environment: environment, journal: InMemoryJournal())
    }

    /// A request object for one client, signed with anybody's key.
    func requestObject(of client: String, _ verifier: CodeVerifier, signedBy signer: String) throws -> String {
        let keys = try app(client).keys
        let now = environment.now()
        let request = RequestObject(
            request: AuthorizationRequest(
                clientID: try ClientID(client), redirectURI: try RedirectURI("\(client)://callback"),
                scope: try ScopeSet("openid profile"), state: try State("s-1"), nonce: try Nonce("n-1"),
                codeChallenge: verifier.challenge, dpopThumbprint: keys.oauth.thumbprint),
            audience: issuer, id: environment.uuid(), issuedAt: now, expires: now + .seconds(60))
        return try request.signed(by: try app(signer).keys.oauth)
    }

    /// Answers an `authrequest` as an identity provider app that does as the test says.
    func answer(
        _ delivery: Delivery, at endpoint: CommandEndpoint,
        _ respond: @Sendable (VerifiedCommand, AuthorizationRequest) throws -> SPLoginResponse
    ) async {
        do {
            guard case .open(let url) = delivery.content,
                let incoming = try await endpoint.accept(url, from: delivery.sender),
                case .authrequest(let request) = incoming.command.command
            else { return }
            let client = try app(incoming.command.sender.text)
            let object = try UnverifiedRequestObject(compact: request.request).verified(
                by: client.keys.oauth.verificationKey, clientID: try ClientID(client.id), audience: issuer,
                now: environment.now())
            try await endpoint.send(
                .authresponse(try respond(incoming.command, object.request)), to: try peer(client.id),
                flow: incoming.command.flow, inReplyTo: incoming.command.id)
        } catch {
            Issue.record(error)
        }
    }
}
