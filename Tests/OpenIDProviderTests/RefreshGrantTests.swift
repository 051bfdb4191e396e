import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct RefreshGrantTests {
    @Test func `a refresh gives new tokens about the same sign-in, and an ID token without nonce`() async throws {
        let world = try await World()
        let first = try await world.handoffTokens()
        world.clock.advance(by: .seconds(600))
        let next = try await world.refresh(try first.string("refresh_token"), of: world.notes, key: world.notes.key)
        #expect(next.status == 200)
        #expect(try next.string("refresh_token") != first.string("refresh_token"))
        #expect(try next.string("access_token") != first.string("access_token"))
        let before = try JWTClaims(UnverifiedJWS(compact: try first.string("id_token")).unverifiedPayload)
        let token = try world.idToken(next, for: world.notes, .es256)
        #expect(token.subject.text == before.subject)
        #expect(token.authTime == World.start)
        #expect(token.sessionID == before["sid"]?.stringValue)
        #expect(token.nonce == nil)
    }

    @Test func `a refresh token used twice revokes the whole family`() async throws {
        let world = try await World()
        let first = try await world.handoffTokens()
        let refresh = try first.string("refresh_token")
        let next = try await world.refresh(refresh, of: world.notes, key: world.notes.key)
        world.clock.advance(by: .seconds(11))
        let again = try await world.refresh(refresh, of: world.notes, key: world.notes.key)
        #expect(again.error == "invalid_grant")
        try await expectDead(next, world.notes.key, world)
    }

    @Test func `a refresh token shown by a stranger changes nothing, before its use and after`() async throws {
        let world = try await World()
        let refresh = try await world.handoffTokens().string("refresh_token")
        for key in [world.photos.key, world.notes.key] {
            let app = key.thumbprint == world.notes.key.thumbprint ? world.photos : world.notes
            #expect(try await world.refresh(refresh, of: app, key: key).error == "invalid_grant")
        }
        let next = try await world.refresh(refresh, of: world.notes, key: world.notes.key)
        #expect(next.status == 200)
        world.clock.advance(by: .seconds(11))
        #expect(try await world.refresh(refresh, of: world.notes, key: world.photos.key).error == "invalid_grant")
        let last = try await world.refresh(try next.string("refresh_token"), of: world.notes, key: world.notes.key)
        #expect(last.status == 200)
    }

    @Test func `a bearer refresh token used twice revokes the whole family`() async throws {
        let world = try await World()
        let first = try await world.bearerTokens()
        let refresh = try first.string("refresh_token")
        let next = try await world.refresh(refresh, of: world.desk, key: nil)
        #expect(next.status == 200)
        #expect(try await world.refresh(refresh, of: world.desk, key: nil).error == "invalid_grant")
        let last = try await world.refresh(try next.string("refresh_token"), of: world.desk, key: nil)
        #expect(last.error == "invalid_grant")
    }

    @Test func `a lost answer to a refresh is given again, and the chain goes on`() async throws {
        let world = try await World()
        let refresh = try await world.handoffTokens().string("refresh_token")
        let lost = try await world.refresh(refresh, of: world.notes, key: world.notes.key)
        world.clock.advance(by: .seconds(5))
        let again = try await world.refresh(refresh, of: world.notes, key: world.notes.key)
        #expect(again.http.body == lost.http.body)
        let next = try await world.refresh(try again.string("refresh_token"), of: world.notes, key: world.notes.key)
        #expect(next.status == 200)
    }

    @Test func `a public client's refresh token is bound to the key of its redemption`() async throws {
        let (world, key) = (try await World(), try SigningKey.generate(.es256))
        let verifier = world.verifier()
        let code = try await world.browserCode(for: world.desk, verifier, scope: "openid offline_access")
        let tokens = try await world.redeem(code, of: world.desk, verifier, key: key)
        let refresh = try tokens.string("refresh_token")
        #expect(try await world.refresh(refresh, of: world.desk, key: nil).error == "invalid_grant")
        #expect(try await world.refresh(refresh, of: world.desk, key: world.notes.key).error == "invalid_grant")
        #expect(try await world.refresh(refresh, of: world.desk, key: key).status == 200)
    }

    @Test func `the scope may be narrowed for one answer, and never widened`() async throws {
        let world = try await World()
        let first = try await world.bearerTokens()
        let wider = try await world.refresh(
            try first.string("refresh_token"), of: world.desk, key: nil, scope: "openid email profile")
        #expect(wider.error == "invalid_scope")
        let narrow = try await world.refresh(
            try first.string("refresh_token"), of: world.desk, key: nil, scope: "openid")
        #expect(narrow.json["scope"] == "openid")
        let info = try await world.userInfo(try narrow.string("access_token"), key: nil)
        #expect(info.json["email"] == nil)
        let full = try await world.refresh(try narrow.string("refresh_token"), of: world.desk, key: nil)
        #expect(full.json["scope"] == "email offline_access openid")
    }

    @Test func `a refresh token lives thirty days after its last rotation`() async throws {
        let world = try await World()
        var refresh = try await world.bearerTokens().string("refresh_token")
        for _ in 1...3 {
            world.clock.advance(by: .seconds(29 * 86_400))
            refresh = try await world.refresh(refresh, of: world.desk, key: nil).string("refresh_token")
            try await world.server.purgeExpired()
        }
        world.clock.advance(by: .seconds(30 * 86_400))
        #expect(try await world.refresh(refresh, of: world.desk, key: nil).error == "invalid_grant")
    }

    @Test(arguments: [1, 7, 14, 16, 20, 29])
    func `a family outlives its last refresh token, however often it was rotated`(days: Int) async throws {
        let world = try await World()
        var refresh = try await world.bearerTokens().string("refresh_token")
        for _ in 1...(60 / days) {
            world.clock.advance(by: .seconds(days * 86_400))
            try await world.server.purgeExpired()
            refresh = try await world.refresh(refresh, of: world.desk, key: nil).string("refresh_token")
        }
        world.clock.advance(by: .seconds(30 * 86_400 - 1))
        try await world.server.purgeExpired()
        #expect(try await world.refresh(refresh, of: world.desk, key: nil).status == 200)
    }

    @Test func `a refresh token goes with its user and with its client`() async throws {
        let world = try await World()
        let refresh = try await world.bearerTokens().string("refresh_token")
        try await world.store.write(.full) { _ = try ProviderRegistry.removeUser("alice", in: $0) }
        #expect(try await world.refresh(refresh, of: world.desk, key: nil).error == "invalid_grant")
        try await world.store.write(.full) { _ = try ProviderRegistry.remove(client: world.desk.id, in: $0) }
        #expect(try await world.refresh(refresh, of: world.desk, key: nil).error == "invalid_client")
    }
}
