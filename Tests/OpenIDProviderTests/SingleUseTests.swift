import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import TestSupport
import Testing

@Suite struct SingleUseTests {
    @Test(.rule("A048")) func `a replay by the owner of the key, later or with another request, revokes the family`()
        async throws
    {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        world.clock.advance(by: .seconds(11))
        let again = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(again.error == "invalid_grant")
        try await expectDead(first, world.notes.key, world)
        #expect(world.journal.entries.contains { $0.code == "credential-reused" })
    }

    @Test func `a replay by a stranger changes nothing`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        world.clock.advance(by: .seconds(11))
        for (app, key) in [(world.notes, world.photos.key), (world.photos, world.notes.key)] {
            #expect(try await world.redeem(code, of: app, verifier, key: key).error == "invalid_grant")
        }
        let access = try first.string("access_token")
        #expect(try await world.userInfo(access, key: world.notes.key).status == 200)
        let refresh = try first.string("refresh_token")
        #expect(try await world.refresh(refresh, of: world.notes, key: world.notes.key).status == 200)
    }

    @Test func `a replay of a bearer code revokes the family`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.browserCode(for: world.desk, verifier, scope: "openid email offline_access")
        let first = try await world.redeem(code, of: world.desk, verifier, key: nil)
        let access = try first.string("access_token")
        #expect(try await world.userInfo(access, key: nil).status == 200)
        #expect(try await world.redeem(code, of: world.desk, verifier, key: nil).error == "invalid_grant")
        #expect(try await world.userInfo(access, key: nil).error == "invalid_token")
    }

    @Test func `an identical request with a fresh proof gets the same answer for ten seconds`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        world.clock.advance(by: .seconds(9))
        let again = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(again.status == 200)
        #expect(again.http.body == first.http.body)
        #expect(try await world.userInfo(try first.string("access_token"), key: world.notes.key).status == 200)
    }

    @Test func `the answer waits until its first use only`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(try await world.userInfo(try first.string("access_token"), key: world.notes.key).status == 200)
        let again = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(again.error == "invalid_grant")
        try await expectDead(first, world.notes.key, world)
    }

    @Test func `the use of the refresh token in it ends the answer too`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        let next = try await world.refresh(try first.string("refresh_token"), of: world.notes, key: world.notes.key)
        #expect(next.status == 200)
        let again = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        #expect(again.error == "invalid_grant")
    }

    @Test func `a request that is not identical gets no second answer`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let first = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key)
        let more = [("client_id", world.notes.id.text), ("resource", "https://api.example")]
        let other = try await world.redeem(code, of: world.notes, verifier, key: world.notes.key, clientFields: more)
        #expect(other.error == "invalid_grant")
        try await expectDead(first, world.notes.key, world)
    }

    @Test func `of many redemptions at once all get the one answer`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let replies = try await withThrowingTaskGroup(of: Reply.self) { group in
            for _ in 1...8 {
                group.addTask { try await world.redeem(code, of: world.notes, verifier, key: world.notes.key) }
            }
            return try await group.reduce(into: [Reply]()) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == 200 })
        #expect(Set(replies.map(\.text)).count == 1)
        #expect(try world.count("family") == 2)
    }

    @Test func `of many bearer redemptions at once at most one succeeds`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.browserCode(for: world.desk, verifier)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...8 {
                group.addTask { try await world.redeem(code, of: world.desk, verifier, key: nil).status }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
    }

    @Test func `the id of a proof counts once`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let fields: [(String, String)] = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", world.notes.redirectURI.text),
            ("code_verifier", verifier.text.unmasked), ("client_id", world.notes.id.text),
        ]
        let proof = try world.proof(world.notes.key, .token, id: "once")
        #expect(await world.post(.token, fields, headers: proof).status == 200)
        #expect(await world.post(.token, fields, headers: proof).error == "invalid_dpop_proof")
        let other = try world.proof(world.photos.key, .token, id: "once")
        #expect(await world.post(.token, fields, headers: other).error == "invalid_grant")
    }

    @Test func `the id of a client assertion counts once`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.browserCode(for: world.portal, verifier)
        let assertion = try world.assertion(world.portal, id: "once")
        let first = try await world.redeem(code, of: world.portal, verifier, key: nil, clientFields: assertion)
        #expect(first.status == 200)
        let again = try await world.redeem(code, of: world.portal, verifier, key: nil, clientFields: assertion)
        #expect(again.status == 401)
        #expect(again.error == "invalid_client")
        // A key was proved by the assertion, so a fresh one gets the answer again.
        let fresh = try await world.redeem(
            code, of: world.portal, verifier, key: nil, clientFields: try world.assertion(world.portal))
        #expect(fresh.http.body == first.http.body)
    }

    @Test func `a mark that was purged stays taken, whatever the clock says`() async throws {
        let (world, verifier) = try await start()
        let code = try await world.handoffCode(verifier)
        let fields: [(String, String)] = [("client_id", world.notes.id.text), ("grant_type", "x")]
        let proof = try world.proof(world.notes.key, .token, id: "once")
        #expect(await world.post(.token, fields, headers: proof).error == "unsupported_grant_type")
        world.clock.advance(by: .seconds(400))
        try await world.server.purgeExpired()
        world.clock.advance(by: .seconds(-400))
        #expect(await world.post(.token, fields, headers: proof).error == "invalid_dpop_proof")
        #expect(!code.isEmpty)
    }

    private func start() async throws -> (World, CodeVerifier) {
        let world = try await World()
        return (world, world.verifier())
    }
}

/// Both tokens of an answer are worth nothing any more.
func expectDead(_ reply: Reply, _ key: SigningKey, _ world: World, app: App? = nil) async throws {
    let info = try await world.userInfo(try reply.string("access_token"), key: key)
    #expect(info.error == "invalid_token")
    let refreshed = try await world.refresh(try reply.string("refresh_token"), of: app ?? world.notes, key: key)
    #expect(refreshed.error == "invalid_grant")
}
