import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

/// `POST /logout-sessions`: a broker ends what it holds, and no more.
@Suite struct LogoutSessionsTests {
    /// A call by a broker that authenticates with its key and proves `key`.
    private func logOut(
        _ world: World, _ fields: [(String, String)], as app: App? = nil, key: SigningKey? = nil
    ) async throws -> Reply {
        let app = app ?? world.broker
        return await world.post(
            .logoutSessions, fields + (try world.assertion(app)),
            headers: try world.proof(key ?? app.key, .logoutSessions))
    }

    private func isAlive(_ tokens: Reply, _ world: World) async throws -> Bool {
        try await world.userInfo(try tokens.string("access_token"), key: world.notes.key).status == 200
    }

    private func handoff(_ world: World, _ login: BrokerLogin) async throws -> Reply {
        let verifier = world.verifier()
        return try await world.redeem(
            try await world.handoffCode(verifier, login: login), of: world.notes, verifier, key: world.notes.key)
    }

    @Test func `device: the session ends with all that came from it, and no other session does`() async throws {
        let world = try await World()
        let (here, elsewhere) = (try await world.brokerLogin(), try await world.brokerLogin())
        let bob = try await handoff(world, try await world.brokerLogin("bob"))
        let (mine, others) = (try await handoff(world, here), try await handoff(world, elsewhere))
        let reply = try await logOut(world, [("scope", "device")] + here.fields)
        #expect(reply.status == 200)
        #expect(reply.json["logout_tokens"] == [:])
        #expect(try await !isAlive(mine, world))
        #expect(
            try await world.refresh(try mine.string("refresh_token"), of: world.notes, key: world.notes.key).error
                == "invalid_grant")
        #expect(try await isAlive(others, world))
        #expect(try await isAlive(bob, world))
        #expect(
            try await world.userInfo(here.accessToken, key: world.broker.key).status == 401)
        #expect(try await world.userInfo(elsewhere.accessToken, key: world.broker.key).status == 200)
    }

    @Test func `device: earlier sessions of the same person end where the broker names them`() async throws {
        let world = try await World()
        let earlier = try await world.brokerLogin()
        let (old, bob) = (
            try await handoff(world, earlier), try await handoff(world, try await world.brokerLogin("bob"))
        )
        let sid = try #require(try Self.sessionID(earlier.idToken))
        // The row of a session that has expired is gone; what came from it may live on.
        _ = try await world.store.write(.full) { try $0.remove(RecordKind("session"), sid) }
        let now = try await world.brokerLogin()
        #expect(try await logOut(world, [("scope", "device")] + now.fields).status == 200)
        #expect(try await isAlive(old, world))
        let again = [("scope", "device"), ("sid", "unknown \(sid)")] + now.fields
        #expect(try await logOut(world, again).status == 200)
        #expect(try await !isAlive(old, world))
        // Somebody else's session is not the broker's to name.
        let sessions = try world.store.read { try ProviderRegistry.sessions(in: $0) }
        let all = sessions.map(\.id).joined(separator: " ")
        #expect(try await logOut(world, [("scope", "device"), ("sid", all)] + now.fields).status == 200)
        #expect(try await isAlive(bob, world))
    }

    private static func sessionID(_ idToken: String) throws -> String? {
        try JWTClaims(try UnverifiedJWS(compact: idToken).unverifiedPayload)["sid"]?.stringValue
    }

    @Test func `everywhere: every session of the person ends, and each client of the broker gets its token`()
        async throws
    {
        let world = try await World()
        let (here, elsewhere) = (try await world.brokerLogin(), try await world.brokerLogin())
        let bob = try await handoff(world, try await world.brokerLogin("bob"))
        let others = try await handoff(world, elsewhere)
        let names = [world.notes, world.portal, world.web].map(\.id.text).joined(separator: " ")
        let reply = try await logOut(world, [("scope", "everywhere"), ("for_clients", names)] + here.fields)
        #expect(try await !isAlive(others, world))
        #expect(try await isAlive(bob, world))
        let tokens = try #require(reply.json["logout_tokens"]?.objectValue)
        // web is no client of this broker.
        #expect(Set(tokens.keys) == [world.notes.id.text, world.portal.id.text])
        let alice = try #require(
            try world.store.read { try ProviderRegistry.user(named: "alice", in: $0) })
        let read = try LogoutTokenVerifier(world.trusted(by: world.notes, .es256)).verify(
            try #require(tokens[world.notes.id.text]?.stringValue), now: world.clock.now)
        #expect(read.subject == alice.subject && read.sessionID == nil && read.issuedAt == world.clock.now)
        // A client gets its tokens in the algorithm of its ID tokens.
        let portal = LogoutTokenVerifier(world.trusted(by: world.portal, .rs256))
        #expect(throws: Never.self) {
            try portal.verify(try #require(tokens[world.portal.id.text]?.stringValue), now: world.clock.now)
        }
        #expect(throws: Fault(.wrongAudience)) {
            try LogoutTokenVerifier(world.trusted(by: world.photos, .es256)).verify(
                try #require(tokens[world.notes.id.text]?.stringValue), now: world.clock.now)
        }
    }

    @Test(arguments: ["device", "everywhere"])
    func `asking twice is asking once, with an expired ID token too`(scope: String) async throws {
        let world = try await World()
        let login = try await world.brokerLogin()
        #expect(try await logOut(world, [("scope", scope)] + login.fields).status == 200)
        world.clock.advance(by: .seconds(24 * 3_600))
        #expect(try await logOut(world, [("scope", scope)] + login.fields).status == 200)
    }

    @Test func `who asks must be the broker, with its key, its ID token and the device secret`() async throws {
        let world = try await World()
        let (login, bob) = (try await world.brokerLogin(), try await world.brokerLogin("bob"))
        let tokens = try await handoff(world, login)
        let fields = [("scope", "device")] + login.fields
        let mixed = [
            ("scope", "device"), ("id_token_hint", login.idToken), ("device_secret", bob.deviceSecret),
        ]
        let foreign = [
            ("scope", "device"), ("id_token_hint", try tokens.string("id_token")),
            ("device_secret", login.deviceSecret),
        ]
        #expect(try await logOut(world, fields, as: world.portal).error == "unauthorized_client")
        #expect(try await logOut(world, fields, key: world.notes.key).error == "invalid_grant")
        #expect(try await logOut(world, mixed).error == "invalid_grant")
        #expect(try await logOut(world, foreign).error == "invalid_grant")
        #expect(try await logOut(world, [("scope", "device")]).error == "invalid_request")
        #expect(try await logOut(world, [("scope", "app")] + login.fields).error == "invalid_request")
        #expect(try await logOut(world, login.fields).error == "invalid_request")
        let unproved = await world.post(.logoutSessions, fields + (try world.assertion(world.broker)))
        #expect(unproved.error == "invalid_dpop_proof")
        let unauthenticated = await world.post(
            .logoutSessions, fields + [("client_id", world.notes.id.text)],
            headers: try world.proof(world.broker.key, .logoutSessions))
        #expect(unauthenticated.error == "unauthorized_client")
        #expect(try await isAlive(tokens, world))
        #expect(try await logOut(world, fields).status == 200)
        #expect(try await !isAlive(tokens, world))
    }

    @Test func `a code that was made before is worth nothing afterwards`() async throws {
        let world = try await World()
        let (login, verifier) = (try await world.brokerLogin(), world.verifier())
        let code = try await world.handoffCode(verifier, login: login)
        #expect(try await logOut(world, [("scope", "device")] + login.fields).status == 200)
        let reply = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(reply.error == "invalid_grant")
    }
}
