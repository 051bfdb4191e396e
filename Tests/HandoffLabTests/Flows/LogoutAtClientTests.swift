import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import Synchronization
import Testing

@Suite struct `A logout that the identity provider app tells a client` {
    /// A client with alice and bob, bob current, and its identity provider app gone.
    private static func loggedIn(
        _ world: LabWorld, http: (any HTTPClient)? = nil
    ) async throws -> (LabProcess<HandoffClient>, alice: UserAccount, bob: UserAccount) {
        let broker = try await world.runBroker(dialogue: Script.choosing(["allow"]))
        for name in ["alice", "bob"] {
            _ = try await broker.role.logIn(username: name, password: Secret("\(name)-secret"))
        }
        let client = try await world.runClient(dialogue: NoDialogue()) { if let http { $0.http = http } }
        let alice = try await client.role.login(.handOff(hint: "alice")).0
        let bob = try await client.role.login(.handOff(hint: "bob")).0
        await broker.stop()
        return (client, alice, bob)
    }

    private static func session(of account: UserAccount, _ client: HandoffClient, _ world: LabWorld) throws -> String {
        try #require(
            try world.app(notes).store.read { try client.accounts.store.tokens(of: account.key, in: $0) }?.sessionID)
    }

    @Test func `ends the account and its tokens, and makes no other account current`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            let families = try world.count("provider.family")
            let sender = try await LogoutSender(world)
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.loggedOut)))
            #expect(try await client.role.accounts.all() == [alice])
            #expect(try await client.role.accounts.current() == nil)
            #expect(try world.count("provider.family") == families - 1)
            #expect(await failure { try await client.role.accounts.validToken(for: bob) }?.code == .loggedOut)
            _ = try await client.role.accounts.validToken(for: alice)
            #expect(try world.app(notes).store.read { try $0.list(RecordKind("revocation-due"), family: nil) }.isEmpty)
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `leaves the current account current when it is about another`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            #expect(try await sender.logOut(LogoutRequest(alice, .app)) == .logoutack(.init(.loggedOut)))
            #expect(try await client.role.accounts.current() == bob)
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `is acknowledged again when the account is not there any more`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.loggedOut)))
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.notLoggedIn)))
            #expect(try await client.role.accounts.all() == [alice])
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `is refused for an issuer that is not the one pinned for that app`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            let request = LogoutRequest(
                issuer: "http://localhost:9", subject: bob.subject, sessionID: nil, scope: .device)
            #expect(try await sender.logOut(request) == .error(AuthError(.unauthorizedClient)))
            #expect(world.refusals(of: notes) == ["logout-issuer"])
            #expect(try await client.role.accounts.all().count == 2)
            // The neighbour: the same with the pinned issuer.
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.loggedOut)))
            #expect(try await client.role.accounts.all() == [alice])
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `of another session leaves the login alone`() throws {
        try simulate { world in
            let (client, _, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            let session = try Self.session(of: bob, client.role, world)
            let other = LogoutRequest(bob, session: "another-session")
            #expect(try await sender.logOut(other) == .logoutack(.init(.notLoggedIn)))
            #expect(try await client.role.accounts.current() == bob)
            let own = LogoutRequest(bob, session: session)
            #expect(try await sender.logOut(own) == .logoutack(.init(.loggedOut)))
            #expect(try await client.role.accounts.current() == nil)
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `everywhere needs the provider's own word for it`() throws {
        try simulate { world in
            let (client, _, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            let bare = LogoutRequest(bob, .everywhere)
            #expect(try await sender.logOut(bare) == .error(AuthError(.invalidRequest)))
            let forged = try LogoutToken.signed(
                issuer: world.issuer, audience: try ClientID(notes), subject: try Subject(bob.subject), sessionID: nil,
                id: "x", now: world.environment.now(), lifetime: .seconds(60), key: try SigningKey.generate(.es256))
            let unproved = LogoutRequest(bob, .everywhere, token: forged)
            #expect(try await sender.logOut(unproved) == .error(AuthError(.invalidRequest)))
            #expect(world.refusals(of: notes) == ["logout-unproved", "unknown-token-key"])
            #expect(try await client.role.accounts.current() == bob)
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `that comes twice is taken once`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            try await sender.logOutTwice(LogoutRequest(bob))
            #expect(world.refusals(of: notes) == ["command-replayed"])
            #expect(try await client.role.accounts.all() == [alice])
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `ends the account though the provider cannot be told, which is made up for later`() throws {
        try simulate { world in
            let line = CutLine(world.network)
            let (client, _, bob) = try await Self.loggedIn(world, http: line)
            let families = try world.count("provider.family")
            let sender = try await LogoutSender(world)
            line.cut()
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.notRevoked)))
            #expect(try await client.role.accounts.current() == nil)
            #expect(try world.count("provider.family") == families)
            #expect(await !client.role.accounts.settleRevocations())
            line.mend()
            #expect(await client.role.accounts.settleRevocations())
            #expect(try world.count("provider.family") == families - 1)
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `ends the pending logins of that account and no others`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            let sender = try await LogoutSender(world)
            let ofBob = client.spawn("bob") { try await $0.login(.handOff(hint: "bob")) }
            let ofAlice = client.spawn("alice") { try await $0.login(.handOff(hint: "alice", timeout: .seconds(20))) }
            try await world.environment.sleep(for: .seconds(1))
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.loggedOut)))
            #expect(await failure { try await ofBob.value }?.code == .loggedOut)
            #expect(await failure { try await ofAlice.value }?.code == .deadlinePassed)
            #expect(try await client.role.accounts.all() == [alice])
            await sender.stop()
            await client.stop()
        }
    }

    @Test func `is carried through when the client dies over it`() throws {
        try simulate { world in
            let (client, alice, bob) = try await Self.loggedIn(world)
            await client.stop()
            let families = try world.count("provider.family")
            let deathbed = Deathbed(.clientLogoutTaken)
            let doomed = try await world.runClient(dialogue: NoDialogue()) { $0.boundary = deathbed.hook }
            let sender = try await LogoutSender(world)
            let told = world.environment.spawn("told") { try await sender.logOut(LogoutRequest(bob)) }
            try await deathbed.reached.value()
            await doomed.kill()
            told.cancel()
            #expect(try world.count("provider.family") == families)
            let next = try await world.runClient(dialogue: NoDialogue())
            #expect(try await next.role.accounts.all() == [alice])
            #expect(try await sender.logOut(LogoutRequest(bob)) == .logoutack(.init(.notLoggedIn)))
            try await world.environment.sleep(for: .seconds(1))
            #expect(try world.count("provider.family") == families - 1)
            await next.stop()
            await sender.stop()
        }
    }
}

/// A line to the network that can be cut.
final class CutLine: HTTPClient {
    private let inner: any HTTPClient
    private let isCut = Mutex(false)

    init(_ inner: any HTTPClient) { self.inner = inner }

    func cut() { isCut.withLock { $0 = true } }
    func mend() { isCut.withLock { $0 = false } }

    func send(_ call: HTTPCall) async throws -> HTTPResponse {
        if isCut.withLock({ $0 }) { throw Fault(.httpUnreachable) }
        return try await inner.send(call)
    }
}
