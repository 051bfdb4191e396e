import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A token request without an answer` {
    private struct Parties {
        let broker: LabProcess<HandoffBroker>
        let client: LabProcess<HandoffClient>
        let line: LossyHTTP

        init(_ world: LabWorld) async throws {
            let line = LossyHTTP(world.network, environment: world.environment)
            self.line = line
            broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            client = try await world.runClient(dialogue: NoDialogue()) { $0.http = line }
        }

        func stop() async {
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `is made again with a fresh proof of the same key, and is one redemption`() throws {
        try simulate { world in
            let parties = try await Parties(world)
            parties.line.lose(2)
            #expect(try await parties.client.role.login(.handOff()).0.username == "alice")
            #expect(parties.line.calls.count == 3)
            #expect(Set(parties.line.calls.map(\.body)).count == 1)
            let keys = try parties.line.proofKeys
            #expect(keys.count == 3)
            #expect(Set(keys).count == 1)
            #expect(try world.count("provider.family") == 2)
            #expect(world.journal.lines.allSatisfy { $0.entry.code != "credential-reused" })
            await parties.stop()
        }
    }

    @Test func `is made a few times, and then the login fails with the reason and can be tried again`() throws {
        try simulate { world in
            let parties = try await Parties(world)
            parties.line.lose(.max)
            #expect(await failure { try await parties.client.role.login(.handOff()) }?.code == .httpUnreachable)
            let times = parties.line.times
            #expect(times.count == 1 + Repetition.waits.count)
            let (first, last) = (try #require(times.first), try #require(times.last))
            #expect(last - first < Repetition.window)
            let waits = zip(times, times.dropFirst()).map { $1 - $0 }
            #expect(waits == waits.sorted())
            // Long enough for a provider that keeps nothing any more to notice one that comes late.
            try await world.environment.sleep(for: .seconds(60))
            #expect(parties.line.calls.count == times.count)
            #expect(world.journal.lines.allSatisfy { $0.entry.code != "credential-reused" })
            parties.line.lose(0)
            #expect(try await parties.client.role.login(.handOff()).0.username == "alice")
            await parties.stop()
        }
    }

    @Test func `is not made again past the deadline of its flow`() throws {
        try simulate { world in
            let parties = try await Parties(world)
            _ = try await parties.client.role.login(.handOff())
            parties.line.lose(.max)
            let start = world.environment.now()
            #expect(
                await failure { try await parties.client.role.login(.handOff(timeout: .seconds(2))) }?.code
                    == .httpUnreachable)
            #expect(parties.line.calls.count > 1)
            try await world.environment.sleep(for: .seconds(60))
            #expect(parties.line.times.allSatisfy { $0 < start + .seconds(2) })
            await parties.stop()
        }
    }

    @Test(arguments: [400, 503]) func `is told from one with an answer that refuses, which is not made again`(
        status: Int
    ) throws {
        try simulate { world in
            let http = NotedHTTP(world.network)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = http }
            http.answer { call, response in
                guard call.url.hasSuffix("/token") else { return response }
                return HTTPResponse(status: status, body: Array(#"{"error":"invalid_grant"}"#.utf8))
            }
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .providerRefused)
            #expect(http.count(of: "/token") == 1)
            http.answer(nil)
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(http.count(of: "/token") == 2)
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `for a refresh is made again too, and the session lives on`() throws {
        try simulate { world in
            let parties = try await Parties(world)
            let (account, _) = try await parties.client.role.login(.handOff())
            try await world.environment.sleep(for: .seconds(16 * 60))
            parties.line.lose(2)
            let start = world.environment.now()
            _ = try await parties.client.role.accounts.validToken(for: account)
            #expect(parties.line.calls.count == 3)
            #expect(Set(parties.line.calls.map(\.body)).count == 1)
            #expect(Set(try parties.line.proofKeys).count == 1)
            #expect(parties.line.times.allSatisfy { $0 < start + .seconds(4) })
            try await world.environment.sleep(for: .seconds(16 * 60))
            _ = try await parties.client.role.accounts.validToken(for: account)
            #expect(try await parties.client.role.accounts.hasSession(account))
            await parties.stop()
        }
    }

    @Test func `is not the only one: what only reads is asked for again as well`() throws {
        try simulate { world in
            let line = LossyHTTP(world.network, path: "/userinfo", environment: world.environment)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.http = line }
            line.lose(3)
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            #expect(line.calls.count == 4)
            #expect(try line.proofKeys.count == 4)
            await client.stop()
            await broker.stop()
        }
    }
}
