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

@Suite struct `A request` {
    @Test(.rule("S4", "T53"))
    func `with a host that is not registered is refused, changes no stored account, and nobody else is called`() throws
    {
        try simulate { world in
            let http = NotedHTTP(world.network)
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked) { $0.http = http }
            let alice = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let answered = Promise<AuthError.Reason>()
            let client = try await world.endpoint(of: notes, role: .client) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    let incoming = try? await endpoint.accept(url, from: delivery.sender),
                    case .error(let refusal) = incoming.command.command
                else { return }
                answered.fulfil(refusal.reason)
            }
            let verifier = CodeVerifier(randomBytes: world.environment.randomBytes(32))
            let request = try world.requestObject(of: notes, verifier, signedBy: notes)
            try await client.role.send(
                .authrequest(SPLoginRequest(request: request, loginHost: "evil.example")), to: try world.peer(idp),
                flow: try FlowID(world.environment.uuid()))
            // The request itself is as good as any other.
            #expect(try await answered.value() == .invalidRequest)
            #expect(world.refusals(of: idp) == ["unregistered-host"])
            #expect(asked.kinds.isEmpty)
            #expect(try await broker.role.accounts.all() == [alice])
            #expect(http.urls.allSatisfy { $0.hasPrefix(world.issuer.text + "/") })
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S18", "A002")) func `has random parts that need no encoding, and new ones each time`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let tap = Tap()
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.bus = tap.listening(on: $0.bus) }
            for _ in 1...4 { _ = try await client.role.login(.handOff()) }
            let requests = try tap.urls(.authrequest).map { url in
                try JSONValue(
                    parsing: try UnverifiedJWS(compact: try world.opened(url, by: idp)).unverifiedPayload)
            }
            #expect(requests.count == 4)
            for name in ["state", "nonce", "code_challenge", "jti"] {
                let values = requests.compactMap { $0[name]?.stringValue }
                #expect(Set(values).count == 4, "\(name)")
                for value in values {
                    #expect(value.utf8.count >= 22, "\(name)")
                    #expect(
                        value.unicodeScalars.allSatisfy { $0 == "-" || $0 == "_" || $0.isASCII && $0.isLetterOrDigit },
                        "\(name)")
                }
            }
            #expect(requests.allSatisfy { $0["code_challenge_method"] == "S256" })
            #expect(requests.allSatisfy { $0["code_challenge"]?.stringValue?.utf8.count == 43 })
            await client.stop()
            await broker.stop()
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool { properties.isAlphabetic || properties.numericType != nil }
}
