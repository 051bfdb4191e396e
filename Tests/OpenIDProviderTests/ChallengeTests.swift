import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import TestSupport
import Testing

/// A code for another client, asked for by the broker.
@Suite struct ChallengeTests {
    @Test(.rule("S3")) func `a live request of a client gets a code that this client alone can redeem`() async throws {
        let (world, login) = try await start()
        let verifier = world.verifier()
        let object = try world.requestObject(of: world.notes, verifier)
        let answer = try await world.challenge([("request", object)] + login.fields)
        #expect(answer.status == 200)
        #expect(answer.json["expires_in"] == 60)
        #expect(answer.json["iss"]?.stringValue == world.issuer.text)
        let code = try answer.string("authorization_code")
        let broker = try await world.redeem(
            code, of: world.broker, verifier, key: world.broker.key, redirectURI: world.notes.redirectURI.text,
            clientFields: try world.assertion(world.broker))
        #expect(broker.error == "invalid_grant")
        let asNotes = try await world.redeem(code, of: world.notes, verifier, key: world.broker.key)
        #expect(asNotes.error == "invalid_grant")
        let tokens = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        let token = try world.idToken(tokens, for: world.notes, .es256, nonce: try Nonce("n-2"))
        let alice = try world.store.read { try ProviderRegistry.user(named: "alice", in: $0)?.subject }
        #expect(token.subject == alice)
    }

    @Test func `with all of the broker's credentials and no request object of the client there is no code`()
        async throws
    {
        let (world, login) = try await start()
        let verifier = world.verifier()
        let forged = try world.requestObject(of: world.notes, verifier, signedBy: world.broker.key)
        let fields: [(String, String)] = [
            ("redirect_uri", world.notes.redirectURI.text), ("scope", "openid"),
            ("code_challenge", verifier.challenge.text), ("dpop_jkt", world.broker.key.thumbprint.value),
        ]
        let attempts: [([(String, String)], String)] = [
            ([("request", forged)] + login.fields, "invalid_request_object"),
            ([("for_client", world.notes.id.text)] + fields + login.fields, "unauthorized_client"),
            ([("client_id", world.notes.id.text)] + fields + login.fields, "invalid_client"),
            (fields + login.fields + [("username", "alice"), ("password", World.password)], "invalid_redirect_uri"),
        ]
        for (attempt, error) in attempts {
            #expect(try await world.challenge(attempt).error == error)
            #expect(try world.count("code") == 0)
        }
        #expect(try world.count("consent") == 0)
        let own = try world.requestObject(of: world.notes, verifier)
        #expect(try await world.challenge([("request", own)] + login.fields).status == 200)
        #expect(try world.count("code") == 1)
    }

    @Test func `a request object counts once, also at two places`() async throws {
        let (world, login) = try await start()
        let object = try world.requestObject(of: world.notes, world.verifier())
        #expect(try await world.challenge([("request", object)] + login.fields).status == 200)
        let again = try await world.challenge([("request", object)] + login.fields)
        #expect(again.error == "invalid_request_object")
        #expect(try world.count("code") == 1)
    }

    @Test func `a broker asks only for clients of its rows`() async throws {
        let (world, login) = try await start()
        let photos = try world.requestObject(of: world.photos, world.verifier())
        #expect(try await world.challenge([("request", photos)] + login.fields).error == "unauthorized_client")
        try await world.change(world.broker) { $0.brokerFor.append(world.photos.id) }
        #expect(try await world.challenge([("request", photos)] + login.fields).status == 200)
    }

    @Test func `a client that is no broker asks for nobody`() async throws {
        let (world, login) = try await start()
        let object = try world.requestObject(of: world.notes, world.verifier())
        let refused = try await world.challenge([("request", object)] + login.fields, as: world.portal)
        #expect(refused.error == "unauthorized_client")
        #expect(try world.count("code") == 0)
    }

    @Test(.rule("S26")) func `redirect URI and scope in the object are within the client's registration`() async throws
    {
        let (world, login) = try await start()
        let elsewhere = try RedirectURI("com.example.evil://done")
        let wider = try ScopeSet("openid admin")
        let moved = try world.requestObject(of: world.notes, world.verifier()) { $0.redirectURI = elsewhere }
        #expect(try await world.challenge([("request", moved)] + login.fields).error == "invalid_redirect_uri")
        let wide = try world.requestObject(of: world.notes, world.verifier()) { $0.scope = wider }
        #expect(try await world.challenge([("request", wide)] + login.fields).error == "invalid_scope")
        #expect(try world.count("code") == 0)
    }

    @Test func `a code of a broker is bound to a key: dpop_jkt, or the client's own assertion`() async throws {
        let (world, login) = try await start()
        let bearer = try world.requestObject(of: world.notes, world.verifier()) { $0.dpopThumbprint = nil }
        #expect(try await world.challenge([("request", bearer)] + login.fields).error == "invalid_request_object")
        let verifier = world.verifier()
        let object = try world.requestObject(of: world.portal, verifier) { $0.dpopThumbprint = nil }
        let code = try await world.challenge([("request", object)] + login.fields).string("authorization_code")
        let bare = try await world.redeem(code, of: world.portal, verifier, key: nil)
        #expect(bare.error == "invalid_client")
        let own = try await world.redeem(
            code, of: world.portal, verifier, key: nil, clientFields: try world.assertion(world.portal))
        #expect(own.status == 200)
    }

    @Test func `outer parameters beside a request object count for nothing`() async throws {
        let (world, login) = try await start()
        let verifier = world.verifier()
        let object = try world.requestObject(of: world.notes, verifier)
        let outer = [("code_challenge", world.verifier().challenge.text), ("scope", "openid profile")]
        let answer = try await world.challenge([("request", object)] + outer + login.fields)
        let tokens = try await world.redeem(
            try answer.string("authorization_code"), of: world.notes, verifier, key: world.notes.key)
        #expect(tokens.json["scope"] == "email offline_access openid")
    }

    // MARK: The account

    @Test func `the ID token is one of exactly this broker, and fits the device secret`() async throws {
        let (world, login) = try await start()
        let (second, app) = (try await world.brokerLogin(), try await world.handoffTokens())
        let object = try world.requestObject(of: world.notes, world.verifier())
        let misfits: [[(String, String)]] = [
            [("id_token_hint", try app.string("id_token")), ("device_secret", login.deviceSecret)],
            [("id_token_hint", login.idToken), ("device_secret", second.deviceSecret)],
            [("id_token_hint", login.accessToken), ("device_secret", login.deviceSecret)],
            [("id_token_hint", "junk"), ("device_secret", login.deviceSecret)],
        ]
        for misfit in misfits {
            #expect(try await world.challenge([("request", object)] + misfit).error == "invalid_grant")
        }
        #expect(try await world.challenge([("request", object)] + [login.fields[0]]).error == "invalid_request")
        #expect(try await world.challenge([("request", object)] + login.fields).status == 200)
    }

    @Test func `the device secret is worth nothing with another key than the broker's`() async throws {
        let (world, login) = try await start()
        let object = try world.requestObject(of: world.notes, world.verifier())
        let thief = try await world.challenge(
            [("request", object)] + login.fields, key: try SigningKey.generate(.es256))
        #expect(thief.error == "invalid_grant")
        #expect(try await world.challenge([("request", object)] + login.fields).status == 200)
    }

    @Test(.rule("T18")) func `an ID token that has expired still speaks while its session lives`() async throws {
        let (world, login) = try await start()
        world.clock.advance(by: .seconds(11 * 3_600))
        let object = try world.requestObject(of: world.notes, world.verifier())
        #expect(try await world.challenge([("request", object)] + login.fields).status == 200)
        world.clock.advance(by: .seconds(3_600))
        let later = try world.requestObject(of: world.notes, world.verifier())
        let ended = try await world.challenge([("request", later)] + login.fields)
        #expect(ended.status == 403)
        #expect(ended.error == "insufficient_authorization")
        #expect(try ended.string("auth_session").isEmpty == false)
    }

    @Test func `prompt=login asks for a newer sign-in, and the same request passes after it`() async throws {
        let (world, login) = try await start()
        world.clock.advance(by: .seconds(10))
        let prompt = try Prompt("login")
        let object = try world.requestObject(of: world.notes, world.verifier()) { $0.prompt = prompt }
        let old = try await world.challenge([("request", object)] + login.fields)
        #expect(old.error == "insufficient_authorization")
        world.clock.advance(by: .seconds(10))
        let fresh = try await world.brokerLogin()
        #expect(try await world.challenge([("request", object)] + login.fields).error == "insufficient_authorization")
        #expect(try await world.challenge([("request", object)] + fresh.fields).status == 200)
    }

    @Test func `a sign-in older than max_age is not enough, a newer one is`() async throws {
        let (world, login) = try await start()
        world.clock.advance(by: .seconds(100))
        let short = try world.requestObject(of: world.notes, world.verifier()) { $0.maxAge = 60 }
        #expect(try await world.challenge([("request", short)] + login.fields).error == "insufficient_authorization")
        let long = try world.requestObject(of: world.notes, world.verifier()) { $0.maxAge = 1_000 }
        #expect(try await world.challenge([("request", long)] + login.fields).status == 200)
    }

    @Test func `each code obtained through a broker leaves a record of consent`() async throws {
        let (world, login) = try await start()
        _ = try await world.handoffCode(world.verifier(), login: login)
        let records = try world.store.read { try ProviderRegistry.consents(in: $0) }
        #expect(records.count == 1)
        let record = try #require(records.first)
        #expect(record.issuer == world.issuer)
        #expect(record.clientID == world.notes.id)
        #expect(record.keyThumbprint == world.notes.key.thumbprint)
        #expect(record.scope.text == "email offline_access openid")
        #expect(record.through == world.broker.id)
    }

    @Test func `after a consent was taken back there is no code, for that client alone, until the person was asked`()
        async throws
    {
        let (world, login) = try await start()
        func ask(_ app: App, _ more: [(String, String)] = []) async throws -> Reply {
            let object = try world.requestObject(of: app, world.verifier())
            return try await world.challenge([("request", object)] + login.fields + more)
        }
        #expect(try await ask(world.notes).status == 200)
        let notes = world.notes.id
        let alice = try #require(
            try world.store.read { try ProviderRegistry.user(named: "alice", in: $0) }
        ).subject
        try await world.store.write(.full) { transaction in
            _ = try ProviderRegistry.withdrawConsent(of: alice, to: notes, in: transaction)
        }
        let count = try world.count("code")
        #expect(try await ask(world.notes).error == "consent_required")
        #expect(try await ask(world.notes, [("consent", "remembered")]).error == "consent_required")
        #expect(try world.count("code") == count && world.count("consent") == 0)
        #expect(try await ask(world.portal).error != "consent_required")
        #expect(try await ask(world.notes, [("consent", "given")]).status == 200)
        #expect(try await ask(world.notes).status == 200)
    }

    // MARK: may_initiate

    @Test func `a may_initiate row gives a code bound to the client's registered key`() async throws {
        let (world, login) = try await start()
        let verifier = world.verifier()
        let answer = try await world.challenge(initiated(world.photos, verifier) + login.fields)
        let code = try answer.string("authorization_code")
        let broker = try await world.redeem(code, of: world.photos, verifier, key: world.broker.key)
        #expect(broker.error == "invalid_grant")
        let tokens = try await world.redeem(code, of: world.photos, verifier, key: world.photos.key)
        #expect(try world.idToken(tokens, for: world.photos, .es256, nonce: try Nonce("n-3")).issuer == world.issuer)
    }

    @Test func `the key of an initiated code is not the broker's to name`() async throws {
        let (world, login) = try await start()
        let named = initiated(world.photos, world.verifier()) + [("dpop_jkt", world.broker.key.thumbprint.value)]
        #expect(try await world.challenge(named + login.fields).error == "invalid_request")
        try await world.change(world.photos) { $0.requestObjectKey = nil }
        let keyless = initiated(world.photos, world.verifier())
        #expect(try await world.challenge(keyless + login.fields).error == "unauthorized_client")
        #expect(try world.count("code") == 0)
    }

    @Test func `three ways of asking in one call are refused`() async throws {
        let (world, login) = try await start()
        let object = try world.requestObject(of: world.notes, world.verifier())
        let both = initiated(world.photos, world.verifier()) + [("request", object)] + login.fields
        #expect(try await world.challenge(both).error == "invalid_request")
    }

    private func initiated(_ app: App, _ verifier: CodeVerifier) -> [(String, String)] {
        [
            ("for_client", app.id.text), ("redirect_uri", app.redirectURI.text), ("scope", "openid email"),
            ("code_challenge", verifier.challenge.text), ("nonce", "n-3"),
        ]
    }

    private func start() async throws -> (World, BrokerLogin) {
        let world = try await World()
        return (world, try await world.brokerLogin())
    }
}
