import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct `A session of an app` {
    /// Whether the network is there, for one process.
    private final class Line: HTTPClient {
        let inner: any HTTPClient
        let isCut = Mutex(false)
        let tokenCalls = Mutex(0)

        init(_ inner: any HTTPClient) { self.inner = inner }

        func send(_ call: HTTPCall) async throws -> HTTPResponse {
            if isCut.withLock({ $0 }) { throw Fault(.httpUnreachable) }
            if call.url.hasSuffix("/token") { tokenCalls.withLock { $0 += 1 } }
            return try await inner.send(call)
        }
    }

    private static func loggedIn(
        _ world: LabWorld
    ) async throws -> (LabProcess<HandoffClient>, LabProcess<HandoffBroker>, UserAccount, Line) {
        let line = Line(world.network)
        let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
        let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = line }
        let (account, _) = try await client.role.login(.handOff())
        return (client, broker, account, line)
    }

    @Test func `gives the token it has while that is valid long enough, and refreshes it then`() throws {
        try simulate { world in
            let (client, broker, account, line) = try await Self.loggedIn(world)
            let first = try await client.role.accounts.validToken(for: account)
            #expect(try await client.role.accounts.validToken(for: account).accessToken == first.accessToken)
            #expect(line.tokenCalls.withLock { $0 } == 1)
            try await world.environment.sleep(for: .seconds(14 * 60 + 30))
            let second = try await client.role.accounts.validToken(for: account)
            #expect(second.accessToken != first.accessToken)
            #expect(line.tokenCalls.withLock { $0 } == 2)
            #expect(try await client.role.accounts.userInfo(for: account).claims["email"] == "alice@example.com")
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `refreshes once for many who ask at the same time, in two processes of the app`() throws {
        for seed in UInt64(1)...5 {
            try simulate(seed: seed) { world in
                let (client, broker, account, line) = try await Self.loggedIn(world)
                let second = try await world.run(try world.app(notes), NoDialogue(), { $0.http = line }) {
                    try await HandoffClient(surroundings: $0)
                }
                try await world.environment.sleep(for: .seconds(15 * 60))
                let asks = (0..<10).map { number in
                    (number.isMultiple(of: 2) ? client : second).spawn("token \(number)") {
                        try await $0.accounts.validToken(for: account).accessToken
                    }
                }
                var tokens: Set<Secret<String>> = []
                for ask in asks { tokens.insert(try await ask.value) }
                #expect(tokens.count == 1)
                #expect(line.tokenCalls.withLock { $0 } == 2)
                await second.stop()
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test func `outlives trouble on the network`() throws {
        try simulate { world in
            let (client, broker, account, line) = try await Self.loggedIn(world)
            try await world.environment.sleep(for: .seconds(16 * 60))
            line.isCut.withLock { $0 = true }
            #expect(await failure { try await client.role.accounts.validToken(for: account) }?.code == .httpUnreachable)
            #expect(try await client.role.accounts.hasSession(account))
            line.isCut.withLock { $0 = false }
            _ = try await client.role.accounts.validToken(for: account)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A075")) func `ends when the provider ended it, and the account stays to log in again`() throws {
        try simulate { world in
            let (client, broker, account, _) = try await Self.loggedIn(world)
            let subject = try Subject(account.subject)
            let clientID = try ClientID(notes)
            try await world.providerStore.write(.full) { transaction in
                _ = try ProviderRegistry.withdrawConsent(of: subject, to: clientID, in: transaction)
            }
            try await world.environment.sleep(for: .seconds(16 * 60))
            #expect(await failure { try await client.role.accounts.validToken(for: account) }?.code == .sessionEnded)
            #expect(await failure { try await client.role.accounts.validToken(for: account) }?.code == .sessionEnded)
            #expect(try await client.role.accounts.all().count == 1)
            #expect(try await client.role.login(.handOff(hint: "alice")).0.subject == account.subject)
            _ = try await client.role.accounts.validToken(for: account)
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `ends by logout at the provider too, or not at all while that cannot be reached`() throws {
        try simulate { world in
            let (client, broker, account, line) = try await Self.loggedIn(world)
            let families = try world.count("provider.family")
            line.isCut.withLock { $0 = true }
            #expect(await failure { try await client.role.accounts.logout(account) }?.code == .httpUnreachable)
            #expect(try await client.role.accounts.current() == account)
            line.isCut.withLock { $0 = false }
            #expect(try await client.role.accounts.logout(account))
            #expect(try await client.role.accounts.all().isEmpty)
            #expect(try world.count("provider.family") == families - 1)
            // The identity provider app's own session is untouched: the next login asks nobody for a password.
            #expect(try await client.role.login(.handOff()).0.subject == account.subject)
            line.isCut.withLock { $0 = true }
            #expect(try await client.role.accounts.logout(account, force: true) == false)
            #expect(try await client.role.accounts.all().isEmpty)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("T58")) func `lets the identity provider app sign its person in again when the provider forgot them`()
        throws
    {
        try simulate { world in
            let (client, broker, account, _) = try await Self.loggedIn(world)
            try await world.providerStore.write(.full) { transaction in
                for session in try ProviderRegistry.sessions(in: transaction) {
                    try ProviderRegistry.endSession(session.id, in: transaction)
                }
            }
            #expect(try await client.role.login(.handOff()).0.subject == account.subject)
            await client.stop()
            await broker.stop()
        }
    }
}
