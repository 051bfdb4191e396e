import Basics
import FoundationEssentials
import Handoff
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `Commands that arrive before the app is set up` {
    private typealias Completions = Collected<Result<(UserAccount, AuthInfo), UserAccountManagerError>>

    private static func codes(_ got: Completions) -> [ErrorCode?] {
        got.all.map { result in
            guard case .failure(.loginFailed(let error, _)) = result else { return nil }
            return (error as? any CodedError)?.code
        }
    }

    /// A client that has not been started.
    private static func client(_ pair: Pair) async throws -> HandoffClient {
        let secrets = InMemorySecretStore()
        try await pair.client.keys.save(to: secrets)
        return try await HandoffClient(
            surroundings: pair.surroundings(pair.client, connection: pair.bus.connect(), secrets: secrets))
    }

    /// A command for a flow that nobody knows: once it is taken, that is said.
    private static func command(_ pair: Pair, _ number: UInt8, now: Timestamp) throws -> String {
        try pair.idp.seal(.cancel, to: pair.client, flow: try FlowID(Pair.flow), number: number, now: now).url
    }

    private static func handle(_ url: String, by client: HandoffClient, _ got: Completions) throws {
        #expect(client.handleIdentityProviderCommand(from: try #require(URL(string: url))) { got.note($0) })
    }

    @Test(.rule("T26")) func `wait, and are all taken once it is, each once`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await Self.client(pair)
            let got = Completions()
            for number in UInt8(1)...3 {
                try Self.handle(try Self.command(pair, number, now: environment.now()), by: client, got)
            }
            try await environment.sleep(for: .seconds(10))
            #expect(got.all.isEmpty)
            try await client.start()
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got) == [.flowUnknown, .flowUnknown, .flowUnknown])
            try Self.handle(try Self.command(pair, 9, now: environment.now()), by: client, got)
            try await environment.sleep(for: .seconds(1))
            #expect(got.all.count == 4)
            await client.stop()
        }
    }

    @Test func `are refused by their own rule at once where they are no good`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await Self.client(pair)
            let got = Completions()
            let forged = try Party(pair.idp.id, .identityProvider)
            let url = try forged.seal(
                .cancel, to: pair.client, flow: try FlowID(Pair.flow), now: environment.now()
            ).url
            try Self.handle(url, by: client, got)
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got) == [.unknownKey])
            await client.stop()
        }
    }

    @Test func `are only so many; what is beyond is refused, and the journal says so`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await Self.client(pair)
            let got = Completions()
            for number in UInt8(1)...40 {
                try Self.handle(try Self.command(pair, number, now: environment.now()), by: client, got)
            }
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got) == Array(repeating: .tooManyArrivals, count: 8))
            #expect(pair.journal.entries.count { $0.code == ErrorCode.tooManyArrivals.name } == 8)
            try await client.start()
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got).count { $0 == .flowUnknown } == 32)
            await client.stop()
        }
    }

    @Test func `do not wait for ever`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await Self.client(pair)
            let got = Completions()
            try Self.handle(try Self.command(pair, 1, now: environment.now()), by: client, got)
            try await environment.sleep(for: .seconds(31))
            #expect(Self.codes(got) == [.notSetUp])
            await client.stop()
        }
    }

    @Test func `are taken also by an app whose name another process owns`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let owner = try await pair.startClient()
            let client = try await Self.client(pair)
            let got = Completions()
            try Self.handle(try Self.command(pair, 1, now: environment.now()), by: client, got)
            await #expect(throws: Fault(.busNameTaken)) { try await client.start() }
            try await environment.sleep(for: .seconds(1))
            #expect(Self.codes(got) == [.flowUnknown])
            await client.stop()
            await owner.stop()
        }
    }
}
