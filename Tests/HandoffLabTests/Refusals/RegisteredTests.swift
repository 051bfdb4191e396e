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

/// What a client names and its registration does not is refused, each with its own code, beside what is accepted.
@Suite struct `What is registered` {
    /// A client's request with something else in it than its app would say.
    private func ask(
        _ world: LabWorld, loginHost: String? = nil, redirect: String? = nil, scope: String = "openid"
    ) async throws -> (answer: Command?, refused: [String]) {
        let answer = Promise<Command>()
        let app = try await world.endpoint(of: notes, role: .client) { endpoint, delivery in
            guard case .open(let url) = delivery.content,
                let incoming = try? await endpoint.accept(url, from: delivery.sender)
            else { return }
            answer.fulfil(incoming.command.command)
        }
        let before = world.refusals(of: idp).count
        let own = try world.app(notes)
        let now = world.environment.now()
        let request = RequestObject(
            request: AuthorizationRequest(
                clientID: try ClientID(notes), redirectURI: try RedirectURI(redirect ?? own.manifest.redirectURIs[0]),
                scope: try ScopeSet(scope), state: try State("state"), nonce: try Nonce("nonce"),
                codeChallenge: CodeVerifier(randomBytes: world.environment.randomBytes(32)).challenge,
                dpopThumbprint: own.keys.oauth.thumbprint),
            audience: world.issuer, id: world.environment.uuid(), issuedAt: now, expires: now + .seconds(60))
        let command = SPLoginRequest(request: try request.signed(by: own.keys.oauth), loginHost: loginHost)
        try await app.role.send(
            .authrequest(command), to: try world.peer(idp), flow: try FlowID(world.environment.uuid()))
        let received = try await answer.value()
        await app.stop()
        return (received, Array(world.refusals(of: idp).dropFirst(before)))
    }

    private func reason(_ command: Command?) -> AuthError.Reason? {
        if case .error(let error) = command { error.reason } else { nil }
    }

    private func hasCode(_ command: Command?) -> Bool {
        if case .authresponse = command { true } else { false }
    }

    @Test(.rule("S2", "S4", "S22", "S26", "T53"))
    func `is all that a request may name: redirect URI, scopes and login host`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.hosts = ["login.example.com"] }])
        try simulate(plan) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let account = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            #expect(hasCode(try await ask(world).answer))
            #expect(hasCode(try await ask(world, loginHost: "LOCALHOST:8123").answer))
            #expect(hasCode(try await ask(world, scope: "openid profile").answer))

            let host = try await ask(world, loginHost: "evil.example")
            #expect(reason(host.answer) == .invalidRequest)
            #expect(host.refused == ["unregistered-host"])
            let foreign = try await ask(world, loginHost: "Login.Example.com")
            #expect(reason(foreign.answer) == .cannotBroker)
            let redirect = try await ask(world, redirect: "org.countersign.client://callback.evil")
            #expect(reason(redirect.answer) == .invalidRequest)
            #expect(redirect.refused == ["unregistered-redirect"])
            let scope = try await ask(world, scope: "openid admin")
            #expect(reason(scope.answer) == .invalidScope)
            #expect(scope.refused == ["unregistered-scope"])

            // None of it has altered what is stored.
            #expect(try await broker.role.accounts.all() == [account])
            #expect(hasCode(try await ask(world).answer))
            await broker.stop()
        }
    }

    @Test(.rule("S26")) func `counts from the next request when the row changes`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            try await world.changeRow(notes) { $0.scopes = try ScopeSet("openid") }
            #expect(reason(try await ask(world, scope: "openid profile").answer) == .invalidScope)
            #expect(hasCode(try await ask(world, scope: "openid").answer))
            await broker.stop()
        }
    }
}
