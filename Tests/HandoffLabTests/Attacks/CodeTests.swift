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

@Suite struct `A code` {
    @Test(.rule("S25")) func `of one account under another's name is refused, and its tokens are revoked`() throws {
        for isHonest in [false, true] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let alice = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
                let store = try world.app(idp).store
                let stored = try store.read { try broker.role.accounts.store.tokens(of: alice.key, in: $0) }
                let tokens = try #require(stored)
                await broker.stop()
                let families = try world.count("provider.family")

                // An identity provider app that gets a code for alice, and says that it is somebody else's.
                let connection = try world.connection(of: idp, .assertion)
                let rogue = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
                    do {
                        guard case .open(let url) = delivery.content,
                            let incoming = try await endpoint.accept(url, from: delivery.sender),
                            case .authrequest(let request) = incoming.command.command
                        else { return }
                        let answer = try await connection.challenge(
                            [
                                ("request", request.request), ("id_token_hint", tokens.idToken?.unmasked ?? ""),
                                ("device_secret", tokens.deviceSecret?.unmasked ?? ""),
                            ], flow: nil)
                        let state = try JSONValue(
                            parsing: try UnverifiedJWS(compact: request.request).unverifiedPayload)["state"]
                        let response = SPLoginResponse(
                            code: Secret(answer["authorization_code"]?.stringValue ?? ""), issuer: world.issuer.text,
                            clientID: notes, state: state?.stringValue ?? "",
                            subject: isHonest ? alice.subject : "somebody-else")
                        try await endpoint.send(
                            .authresponse(response), to: try world.peer(notes), flow: incoming.command.flow,
                            inReplyTo: incoming.command.id)
                    } catch {
                        Issue.record(error)
                    }
                }
                let client = try await world.runClient(dialogue: NoDialogue())
                let error = await failure { try await client.role.login(.handOff()) }
                #expect(error?.code == (isHonest ? nil : .subjectMismatch))
                #expect(try await client.role.accounts.all().count == (isHonest ? 1 : 0))
                #expect(try world.count("provider.family") == families + (isHonest ? 1 : 0))
                await client.stop()
                await rogue.stop()
            }
        }
    }

    @Test(.rule("S26")) func `whose tokens may do more than was asked for is refused`() throws {
        for granted in ["openid profile email offline_access admin", "openid profile"] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let client = try await world.runClient(dialogue: NoDialogue()) { surroundings in
                    surroundings.http = NotedHTTP(surroundings.http) { call, response in
                        guard call.url.hasSuffix("/token"),
                            var json = try? JSONValue(parsing: response.body).objectValue
                        else { return response }
                        json["scope"] = .string(granted)
                        return HTTPResponse(
                            status: response.status, headers: response.headers,
                            body: JSONValue.object(json).serialized())
                    }
                }
                let error = await failure { try await client.role.login(.handOff()) }
                #expect(error?.code == (granted.contains("admin") ? .excessScope : nil))
                #expect(try await client.role.accounts.all().count == (granted.contains("admin") ? 0 : 1))
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("T14", "T48", "A192"))
    func `that the provider never made ends the login once, and the command that brought it`() throws {
        try simulate { world in
            let sealed = Promise<String>()
            let rogue = try await world.endpoint(of: idp, role: .identityProvider) { endpoint, delivery in
                guard case .open(let url) = delivery.content,
                    let incoming = try? await endpoint.accept(url, from: delivery.sender),
                    case .authrequest(let request) = incoming.command.command,
                    let state = try? JSONValue(
                        parsing: try UnverifiedJWS(compact: request.request).unverifiedPayload)["state"]?.stringValue,
                    let peer = try? world.peer(notes)
                else { return }
                let response = SPLoginResponse(
                    code: Secret("a-code"), issuer: world.issuer.text, clientID: notes, state: state,
                    subject: "somebody")
                let answer = try? await endpoint.seal(
                    .authresponse(response), to: peer, flow: incoming.command.flow, inReplyTo: incoming.command.id)
                if let answer { sealed.fulfil(answer.url) }
            }
            let http = NotedHTTP(world.network)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = http }
            let login = world.environment.spawn("login") { try await client.role.login(.handOff()) }
            let url = try await sealed.value()
            let brought = await failure { try await client.role.handleIdentityProviderCommand(from: url) }
            let loggedIn = await failure { try await login.value }
            #expect(brought?.code != nil && brought?.code == loggedIn?.code)
            #expect(brought?.code != .deadlinePassed && brought?.code != .internalFault)
            #expect(http.count(of: "/token") == 1)
            #expect(try await client.role.accounts.all().isEmpty)
            // The peer is told, and the next login works.
            let told = world.journal.entries(of: notes).filter { $0.kind == .sent }.last
            #expect(told?.fields["command"] == "authack" && told?.fields["outcome"] == "failed")
            await rogue.stop()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }
}
