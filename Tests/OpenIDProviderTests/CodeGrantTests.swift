import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import TestSupport
import Testing

@Suite struct CodeGrantTests {
    @Test func `a code gives bearer tokens to a client without a key, and an ID token that its rules accept`()
        async throws
    {
        let (world, verifier) = try await start()
        let code = try await world.browserCode(for: world.desk, verifier)
        let reply = try await world.redeem(code, of: world.desk, verifier, key: nil)
        #expect(reply.status == 200)
        #expect(reply.http.headers.single("Cache-Control") == "no-store")
        let tokens = try TokenResponse(json: reply.json)
        #expect(tokens.tokenType == .bearer)
        #expect(tokens.refreshToken == nil)
        #expect(tokens.expiresIn == 900)
        let token = try world.idToken(reply, for: world.desk, .rs256, nonce: try Nonce("no-1"))
        #expect(token.authTime == World.start)
        #expect(token.sessionID != nil)
        #expect(token.claims["amr"] == ["pwd"])
        #expect(token.deviceSecretHash == nil)
    }

    @Test func `an app of hand-offs gets ES256 and tokens bound to its key`() async throws {
        let world = try await World()
        let reply = try await world.handoffTokens()
        #expect(reply.json["token_type"] == "DPoP")
        let token = try world.idToken(reply, for: world.notes, .es256, nonce: try Nonce("n-2"))
        #expect(token.audience == [world.notes.id.text])
        #expect(try reply.string("refresh_token").isEmpty == false)
        let claims = try JWTClaims(UnverifiedJWS(compact: try reply.string("access_token")).unverifiedPayload)
        #expect(claims["cnf"]?["jkt"]?.stringValue == world.notes.key.thumbprint.value)
    }

    @Test func `a refresh token is given only for offline_access and to a client registered for it`() async throws {
        let world = try await World()
        #expect(try await world.bearerTokens(scope: "openid email").json["refresh_token"] == nil)
        #expect(try await world.bearerTokens().json["refresh_token"] != nil)
        try await world.change(world.desk) { $0.grantTypes = [.authorizationCode] }
        let verifier = world.verifier()
        let browserCode = try await world.browserCode(for: world.desk, verifier, scope: "openid offline_access")
        let reply = try await world.redeem(browserCode, of: world.desk, verifier, key: nil)
        #expect(reply.status == 200)
        #expect(reply.json["refresh_token"] == nil)
    }

    @Test func `a code presented with another key is refused, and the client's own redemption still works`()
        async throws
    {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let thief = try await world.redeem(code, of: world.notes, verifier, key: world.photos.key)
        #expect(thief.status == 400)
        #expect(thief.error == "invalid_grant")
        #expect(try await world.redeem(code, of: world.notes, verifier, key: world.notes.key).status == 200)
    }

    @Test func `a code presented by another client is refused, and the client's own redemption still works`()
        async throws
    {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let other = try await world.redeem(
            code, of: world.photos, verifier, key: world.notes.key, redirectURI: world.notes.redirectURI.text)
        #expect(other.error == "invalid_grant")
        #expect(try await world.redeem(code, of: world.notes, verifier, key: world.notes.key).status == 200)
    }

    @Test(.rule("A015", "A047"))
    func `a wrong verifier or redirect URI takes nothing, and the third miss ends the code`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, world.verifier(), key: world.notes.key)
        #expect(first.error == "invalid_grant")
        let second = try await world.redeem(
            code, of: world.notes, verifier, key: world.notes.key, redirectURI: "com.example.notes://other")
        #expect(second.error == "invalid_grant")
        #expect(try await world.redeem(code, of: world.notes, verifier, key: world.notes.key).status == 200)

        let other = try await world.handoffCode(verifier)
        for _ in 1...3 { _ = try await world.redeem(other, of: world.notes, world.verifier(), key: world.notes.key) }
        let right = try await world.redeem(other, of: world.notes, verifier, key: world.notes.key)
        #expect(right.error == "invalid_grant")
    }

    @Test func `a code lives sixty seconds`() async throws {
        let (world, verifier) = try await start()
        let (one, two) = (try await world.handoffCode(verifier), try await world.handoffCode(verifier))
        world.clock.advance(by: .seconds(59))
        #expect(try await world.redeem(one, of: world.notes, verifier, key: world.notes.key).status == 200)
        world.clock.advance(by: .seconds(1))
        let late = try await world.redeem(two, of: world.notes, verifier, key: world.notes.key)
        #expect(late.error == "invalid_grant")
    }

    @Test func `a code whose session was ended is refused`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        try await world.store.write(.full) { transaction in
            for session in try ProviderRegistry.sessions(in: transaction) {
                try ProviderRegistry.endSession(session.id, in: transaction)
            }
        }
        let reply = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(reply.error == "invalid_grant")
    }

    @Test func `a client bound to keys is refused without a proof`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let bare = try await world.redeem(code, of: world.notes, verifier, key: nil)
        #expect(bare.error == "invalid_dpop_proof")
        #expect(try await world.redeem(code, of: world.notes, verifier, key: world.notes.key).status == 200)
    }

    @Test(arguments: ["code", "redirect_uri", "code_verifier", "grant_type"])
    func `a token request without one of its parameters is invalid_request`(name: String) async throws {
        let (world, verifier) = try await start()
        let code = try await world.browserCode(for: world.desk, verifier)
        let fields: [(String, String)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", world.desk.redirectURI.text),
            ("code_verifier", verifier.text.unmasked), ("client_id", world.desk.id.text),
        ]
        #expect(await world.post(.token, fields.filter { $0.0 != name }).error == "invalid_request")
        #expect(await world.post(.token, fields + [("code", "twice")]).error == "invalid_request")
        #expect(await world.post(.token, fields).status == 200)
    }

    @Test func `a grant type that is unknown, or not registered, has an error of its own`() async throws {
        let world = try await World()
        let id = ("client_id", world.desk.id.text)
        let unknown = await world.post(.token, [("grant_type", "password"), id])
        #expect(unknown.error == "unsupported_grant_type")
        try await world.change(world.desk) { $0.grantTypes = [.authorizationCode] }
        let refused = await world.post(.token, [("grant_type", "refresh_token"), ("refresh_token", "x"), id])
        #expect(refused.error == "unauthorized_client")
    }

    @Test func `a body that is no form is refused`() async throws {
        let world = try await World()
        let request = HTTPRequest(
            method: "POST", path: "/token", headers: ["Content-Type": "application/json"], body: Array("{}".utf8))
        #expect(Reply(http: await world.server.respond(to: request)).error == "invalid_request")
    }

    @Test func `no code and no token stands in the store as itself`() async throws {
        let world = try await World()
        let (login, verifier) = (try await world.brokerLogin(), world.verifier())
        let code = try await world.handoffCode(verifier, login: login)
        let waiting = world.verifier()
        let unused = try await world.handoffCode(waiting, login: login)
        let tokens = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        let secrets = [
            code, unused, try tokens.string("access_token"), try tokens.string("refresh_token"), login.deviceSecret,
            login.refreshToken, World.password,
        ]
        let kinds = ["code", "refresh", "family", "tombstone", "answer", "session", "user", "consent", "browser"]
        for kind in kinds {
            for record in try world.store.read({ try $0.list(RecordKind(kind)) }) {
                let text = record.key + String(decoding: record.value, as: UTF8.self) + (record.condition ?? "")
                for secret in secrets { #expect(!text.contains(secret), "\(kind)") }
            }
        }
        for entry in world.journal.entries {
            let text = entry.message + JSONValue.object(entry.fields).serializedText
            for secret in secrets { #expect(!text.contains(secret)) }
        }
    }

    private func start() async throws -> (World, CodeVerifier) {
        let world = try await World()
        return (world, world.verifier())
    }
}
