import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct RevocationTests {
    @Test(arguments: ["refresh_token", "access_token"])
    func `revoking one token ends the whole family at once`(name: String) async throws {
        let world = try await World()
        let (one, two) = (try await world.handoffTokens(), try await world.handoffTokens())
        let reply = await world.post(
            .revoke, [("token", try one.string(name)), ("client_id", world.notes.id.text), ("token_type_hint", "x")])
        #expect(reply.status == 200)
        try await expectDead(one, world.notes.key, world)
        #expect(try await world.userInfo(try two.string("access_token"), key: world.notes.key).status == 200)
    }

    @Test func `a refresh token that was rotated out still ends its family`() async throws {
        let world = try await World()
        let first = try await world.handoffTokens()
        let old = try first.string("refresh_token")
        let next = try await world.refresh(old, of: world.notes, key: world.notes.key)
        #expect(await world.post(.revoke, [("token", old), ("client_id", world.notes.id.text)]).status == 200)
        try await expectDead(next, world.notes.key, world)
    }

    @Test func `another client's token is left alone, with the same answer`() async throws {
        let world = try await World()
        let tokens = try await world.handoffTokens()
        for name in ["refresh_token", "access_token"] {
            let fields = [("token", try tokens.string(name)), ("client_id", world.photos.id.text)]
            #expect(await world.post(.revoke, fields).status == 200)
        }
        #expect(await world.post(.revoke, [("token", "junk"), ("client_id", "desk")]).status == 200)
        #expect(try await world.userInfo(try tokens.string("access_token"), key: world.notes.key).status == 200)
    }

    @Test func `a client that does not authenticate is refused`() async throws {
        let world = try await World()
        #expect(await world.post(.revoke, [("token", "x"), ("client_id", "web")]).status == 401)
        #expect(await world.post(.revoke, [("client_id", "desk")]).error == "invalid_request")
    }

    @Test func `a broker that gives its login back can ask for no more codes`() async throws {
        let world = try await World()
        let login = try await world.brokerLogin()
        _ = try await world.handoffCode(world.verifier(), login: login)
        let fields = [("token", login.refreshToken)] + (try world.assertion(world.broker))
        #expect(await world.post(.revoke, fields).status == 200)
        let object = try world.requestObject(of: world.notes, world.verifier())
        let refused = try await world.challenge([("request", object)] + login.fields)
        #expect(refused.error == "insufficient_authorization")
    }
}
