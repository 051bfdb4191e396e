import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct UserInfoTests {
    @Test(arguments: [
        ("openid", ["sub"]), ("openid email", ["email", "email_verified", "sub"]),
        ("openid profile", ["name", "preferred_username", "sub"]),
    ])
    func `each scope opens its claims and no others`(scope: String, claims: [String]) async throws {
        let world = try await World()
        let tokens = try await world.bearerTokens(scope: scope)
        let reply = try await world.userInfo(try tokens.string("access_token"), key: nil)
        #expect(reply.status == 200)
        #expect(reply.json.objectValue?.keys.sorted() == claims)
        let token = try world.idToken(tokens, for: world.desk, .rs256, nonce: try Nonce("no-1"))
        #expect(reply.json["sub"]?.stringValue == token.subject.text)
    }

    @Test func `the token may come by POST, in the header or in the body, and not in both`() async throws {
        let world = try await World()
        let access = try await world.bearerTokens().string("access_token")
        let header: HTTPHeaders = ["Authorization": "bearer \(access)"]
        #expect(await world.post(.userInfo, [], headers: header).status == 200)
        #expect(await world.post(.userInfo, [("access_token", access)]).status == 200)
        #expect(await world.post(.userInfo, [("access_token", access)], headers: header).error == "invalid_request")
    }

    @Test func `a bound token is good with a proof of its key only`() async throws {
        let world = try await World()
        let access = try await world.handoffTokens().string("access_token")
        let bearer = try await world.userInfo(access, key: nil)
        #expect(bearer.error == "invalid_token")
        #expect(bearer.status == 401)
        let thief = try await world.userInfo(access, key: world.photos.key)
        #expect(thief.error == "invalid_token")
        let bare = await world.get("/userinfo", headers: ["Authorization": "DPoP \(access)"])
        #expect(bare.error == "invalid_dpop_proof" && bare.status == 401)
        #expect(bare.http.headers.values("WWW-Authenticate").contains { $0.hasPrefix("DPoP ") })
        #expect(try await world.userInfo(access, key: world.notes.key).status == 200)
    }

    @Test func `a proof for another token is refused, and a proof counts once`() async throws {
        let world = try await World()
        let one = try await world.handoffTokens().string("access_token")
        let two = try await world.handoffTokens().string("access_token")
        var wrong = try world.proof(world.notes.key, .userInfo, method: "GET", accessToken: two)
        wrong.add("Authorization", "DPoP \(one)")
        #expect(await world.get("/userinfo", headers: wrong).error == "invalid_dpop_proof")
        var right = try world.proof(world.notes.key, .userInfo, method: "GET", accessToken: one)
        right.add("Authorization", "DPoP \(one)")
        #expect(await world.get("/userinfo", headers: right).status == 200)
        #expect(await world.get("/userinfo", headers: right).error == "invalid_dpop_proof")
    }

    @Test func `a bearer token is not good under the scheme DPoP`() async throws {
        let world = try await World()
        let access = try await world.bearerTokens().string("access_token")
        #expect(try await world.userInfo(access, key: world.notes.key).error == "invalid_token")
        #expect(try await world.userInfo(access, key: nil).status == 200)
    }

    @Test func `a token is good for fifteen minutes`() async throws {
        let world = try await World()
        let access = try await world.bearerTokens().string("access_token")
        world.clock.advance(by: .seconds(899))
        #expect(try await world.userInfo(access, key: nil).status == 200)
        world.clock.advance(by: .seconds(1))
        let late = try await world.userInfo(access, key: nil)
        #expect(late.error == "invalid_token")
        #expect(late.http.headers.values("WWW-Authenticate").contains { $0.contains("error=\"invalid_token\"") })
    }

    @Test func `an ID token, a foreign token and none at all are refused`() async throws {
        let world = try await World()
        let tokens = try await world.bearerTokens()
        let foreign = try JWS.sign(
            UnverifiedJWS(compact: try tokens.string("access_token")).unverifiedPayload,
            header: ["typ": "at+jwt", "kid": .string(world.keys.es256.keyID)], by: world.notes.key)
        for text in [try tokens.string("id_token"), foreign, "junk"] {
            #expect(try await world.userInfo(text, key: nil).error == "invalid_token")
        }
        let none = await world.get("/userinfo")
        #expect(none.status == 401)
        #expect(none.http.headers.values("WWW-Authenticate").count == 2)
    }

    @Test func `a token without openid is insufficient_scope`() async throws {
        let world = try await World()
        let tokens = try await world.bearerTokens(scope: "email")
        #expect(tokens.json["id_token"] == nil)
        let reply = try await world.userInfo(try tokens.string("access_token"), key: nil)
        #expect(reply.status == 403)
        #expect(reply.error == "insufficient_scope")
    }
}
