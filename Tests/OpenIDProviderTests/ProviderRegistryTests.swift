import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct ProviderRegistryTests {
    @Test func `a client reads back as it was written`() async throws {
        let world = try await World()
        let found = try world.store.read { try ProviderRegistry.client(world.broker.id, in: $0) }
        let broker = try #require(found)
        #expect(broker.isBroker)
        #expect(broker.requestObjectKey?.thumbprint == world.broker.key.thumbprint)
        #expect(broker.brokerFor == [world.notes.id, world.portal.id])
        let ids = try world.store.read { try ProviderRegistry.clients(in: $0).map(\.id.text) }
        #expect(ids == ids.sorted() && ids.count == 6)
    }

    @Test func `a registration that breaks a rule is refused with the reason`() async throws {
        let world = try await World()
        let changes: [(String, @Sendable (inout RegisteredClient) -> Void)] = [
            ("display name", { $0.displayName = "" }), ("redirect URI", { $0.redirectURIs = [] }),
            ("confidential", { $0.kind = .confidential }),
            ("secret", { $0.authentication = .secret(digest: "x") }),
            ("request objects", { $0.requiresRequestObject = true }),
            ("ES256 or RS256", { $0.idTokenAlgorithm = .edDSA }), ("private_key_jwt", { $0.isBroker = true }),
            ("Only a broker", { $0.mayInitiate = $0.redirectURIs.isEmpty ? [] : [$0.id] }),
        ]
        for (words, change) in changes {
            do {
                try await world.change(world.desk, change)
                Issue.record("accepted although it breaks: \(words)")
            } catch let fault as Fault {
                #expect(fault.code == .invalidClientRegistration)
                #expect(fault.text.contains(words), "\(fault.text)")
            }
        }
        try await world.change(world.desk) { $0.displayName = "Desk 2" }
    }

    @Test func `a user keeps the subject, and a new password ends the sessions`() async throws {
        let world = try await World()
        let before = try world.store.read { try ProviderRegistry.user(named: "alice", in: $0)?.subject }
        _ = try await world.brokerLogin()
        #expect(try world.count("session") == 1)
        try await world.addUser("alice", password: "another")
        let after = try world.store.read { try ProviderRegistry.user(named: "alice", in: $0)?.subject }
        #expect(before == after)
        #expect(try world.count("session") == 0)
    }

    @Test(arguments: ["", "al ice", "al\u{0}ice", "al\u{202E}ice", String(repeating: "a", count: 129)])
    func `a user name with spaces, control or direction characters is refused`(name: String) async throws {
        let world = try await World()
        await #expect(throws: Fault(.invalidUserName)) { try await world.addUser(name) }
        try await world.addUser("zoë")
    }

    @Test func `a client whose key changes loses its grants, one whose name changes keeps them`() async throws {
        let world = try await World()
        let tokens = try await world.handoffTokens()
        let access = try tokens.string("access_token")
        try await world.change(world.notes) { $0.displayName = "Notes 2" }
        #expect(try await world.userInfo(access, key: world.notes.key).status == 200)
        let key = try world.photos.clientKey
        try await world.change(world.notes) { $0.requestObjectKey = key }
        #expect(try await world.userInfo(access, key: world.notes.key).error == "invalid_token")
    }

    @Test func `ending a session ends what came from it, and nothing else`() async throws {
        let world = try await World()
        let (one, two) = (try await world.handoffTokens(), try await world.handoffTokens())
        let claims = try JWTClaims(UnverifiedJWS(compact: try one.string("id_token")).unverifiedPayload)
        let id = try #require(claims["sid"]?.stringValue)
        let ended = try await world.store.write(.full) { try ProviderRegistry.endSession(id, in: $0) }
        #expect(ended)
        try await expectDead(one, world.notes.key, world)
        #expect(try await world.userInfo(try two.string("access_token"), key: world.notes.key).status == 200)
    }

    @Test func `what has expired is purged, and what lives stays`() async throws {
        let world = try await World()
        _ = try await world.handoffCode(world.verifier())
        world.clock.advance(by: .seconds(300))
        _ = try await world.handoffCode(world.verifier())
        #expect(try world.count("code") == 2)
        try await world.server.purgeExpired()
        #expect(try world.count("code") == 1)
        #expect(try world.count("session") == 2)
    }
}
