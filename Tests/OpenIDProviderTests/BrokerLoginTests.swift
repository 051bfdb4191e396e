import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

/// The broker's own sign-in at `/authorize-challenge`.
@Suite struct BrokerLoginTests {
    @Test func `name and password give the broker a code, and that code a device secret with its hash`() async throws {
        let (world, verifier) = try await start()
        let answer = try await world.challenge(world.loginFields("alice", World.password, verifier))
        let tokens = try await world.redeem(
            try answer.string("authorization_code"), of: world.broker, verifier, key: world.broker.key,
            clientFields: try world.assertion(world.broker))
        let token = try world.idToken(tokens, for: world.broker, .es256, nonce: try Nonce("n-1"))
        #expect(token.deviceSecretHash == TokenHash.leftHalf(try tokens.string("device_secret")))
        let next = try await world.refresh(
            try tokens.string("refresh_token"), of: world.broker, key: world.broker.key,
            clientFields: try world.assertion(world.broker))
        #expect(next.json["device_secret"] == nil)
        #expect(try world.idToken(next, for: world.broker, .es256).deviceSecretHash == token.deviceSecretHash)
    }

    @Test func `the broker's code is bound to the key of its call`() async throws {
        let (world, verifier) = try await start()
        let answer = try await world.challenge(world.loginFields("alice", World.password, verifier))
        let code = try answer.string("authorization_code")
        let other = try await world.redeem(
            code, of: world.broker, verifier, key: world.notes.key, clientFields: try world.assertion(world.broker))
        #expect(other.error == "invalid_grant")
        let own = try await world.redeem(
            code, of: world.broker, verifier, key: world.broker.key, clientFields: try world.assertion(world.broker))
        #expect(own.status == 200)
    }

    @Test func `a miss is insufficient_authorization with a session to go on with and the tries left`() async throws {
        let (world, verifier) = try await start()
        let miss = try await world.challenge(world.loginFields("alice", "wrong", verifier))
        #expect(miss.status == 403)
        #expect(miss.error == "insufficient_authorization")
        #expect(try miss.string("error_description").contains("Four tries are left."))
        let session = [("auth_session", try miss.string("auth_session"))]
        let again = try await world.challenge(world.loginFields("alice", "wrong", verifier) + session)
        #expect(try again.string("auth_session") == session[0].1)
        #expect(try again.string("error_description").contains("Three tries are left."))
        let right = try await world.challenge(world.loginFields("alice", World.password, verifier) + session)
        #expect(right.status == 200)
        let spent = try await world.challenge(world.loginFields("alice", World.password, verifier) + session)
        #expect(spent.error == "invalid_request")
    }

    @Test func `five misses of one session close it, whichever names they were for`() async throws {
        let (world, verifier) = try await start()
        let miss = try await world.challenge(world.loginFields("nobody-1", "wrong", verifier))
        let session = [("auth_session", try miss.string("auth_session"))]
        for number in 2...5 {
            let reply = try await world.challenge(world.loginFields("nobody-\(number)", "wrong", verifier) + session)
            #expect(reply.status == 403)
        }
        let closed = try await world.challenge(world.loginFields("alice", World.password, verifier) + session)
        #expect(closed.status == 429)
        #expect(closed.error == "access_denied")
        #expect(try await world.challenge(world.loginFields("alice", World.password, verifier)).status == 200)
    }

    @Test func `five misses of one name close it in every session for ten minutes`() async throws {
        let (world, verifier) = try await start()
        for _ in 1...5 { _ = try await world.challenge(world.loginFields("alice", "wrong", verifier)) }
        #expect(try await world.challenge(world.loginFields("alice", World.password, verifier)).status == 429)
        #expect(try await world.challenge(world.loginFields("bob", World.password, verifier)).status == 200)
        world.clock.advance(by: .seconds(601))
        #expect(try await world.challenge(world.loginFields("alice", World.password, verifier)).status == 200)
    }

    @Test func `a session of one broker's key is none of another's`() async throws {
        let (world, verifier) = try await start()
        let miss = try await world.challenge(world.loginFields("alice", "wrong", verifier))
        let session = [("auth_session", try miss.string("auth_session"))]
        let other = try await world.challenge(
            world.loginFields("alice", World.password, verifier) + session, key: try SigningKey.generate(.es256))
        #expect(other.error == "invalid_request")
        let own = try await world.challenge(world.loginFields("alice", World.password, verifier) + session)
        #expect(own.status == 200)
    }

    @Test func `a call without name and password says what is missing, and begins a session`() async throws {
        let (world, verifier) = try await start()
        let fields = world.loginFields("alice", "x", verifier).filter { !["username", "password"].contains($0.0) }
        let reply = try await world.challenge(fields)
        #expect(reply.error == "insufficient_authorization")
        #expect(try reply.string("auth_session").isEmpty == false)
    }

    @Test func `a client that is not first party never takes a password`() async throws {
        let (world, verifier) = try await start()
        let fields: [(String, String)] = [
            ("username", "alice"), ("password", World.password), ("scope", "openid"),
            ("code_challenge", verifier.challenge.text), ("redirect_uri", world.portal.redirectURI.text),
        ]
        #expect(try await world.challenge(fields, as: world.portal).error == "redirect_to_web")
        #expect(try world.count("code") == 0)
        #expect(try world.count("throttle") == 0)
    }

    @Test func `the call needs both the client's assertion and a proof`() async throws {
        let (world, verifier) = try await start()
        let fields = world.loginFields("alice", World.password, verifier)
        let proofless = await world.post(.challenge, fields + (try world.assertion(world.broker)))
        #expect(proofless.error == "invalid_dpop_proof")
        let proof = try world.proof(world.broker.key, .challenge)
        let unsigned = await world.post(.challenge, fields + [("client_id", world.broker.id.text)], headers: proof)
        #expect(unsigned.error == "invalid_client")
        let publicClient = await world.post(
            .challenge, fields + [("client_id", "desk")], headers: try world.proof(world.broker.key, .challenge))
        #expect(publicClient.error == "unauthorized_client")
        #expect(try await world.challenge(fields).status == 200)
    }

    @Test func `a broker may sign in through the browser too, and gets its device secret`() async throws {
        let (world, verifier) = try await start()
        let browser = Browser(world)
        await browser.authorize(
            world.request(of: world.broker, verifier, scope: "openid offline_access device_sso"))
        let code = await browser.signIn().redirectFields.single("code") ?? ""
        let tokens = try await world.redeem(
            code, of: world.broker, verifier, key: world.broker.key, clientFields: try world.assertion(world.broker))
        let login = [
            ("id_token_hint", try tokens.string("id_token")), ("device_secret", try tokens.string("device_secret")),
        ]
        let object = try world.requestObject(of: world.notes, world.verifier())
        #expect(try await world.challenge([("request", object)] + login).status == 200)
    }

    private func start() async throws -> (World, CodeVerifier) {
        let world = try await World()
        return (world, world.verifier())
    }
}
