import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `A replayed command` {
    @Test(.rule("S5", "A033", "A044")) func `is taken once: an answer, a request, an outcome`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let (fromBroker, fromClient) = (Tap(), Tap())
            let broker = try await world.runBroker(dialogue: asked) { $0.bus = fromBroker.listening(on: $0.bus) }
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.bus = fromClient.listening(on: $0.bus) }
            let (account, _) = try await client.role.login(.handOff())
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: notes) + world.refusals(of: idp) == [])

            let replayer = world.bus.connect()
            try await replayer.open(try #require(fromBroker.urls(.authresponse).first), at: notes, startIfNeeded: false)
            try await replayer.open(try #require(fromClient.urls(.authrequest).first), at: idp, startIfNeeded: false)
            try await replayer.open(try #require(fromClient.urls(.authack).first), at: idp, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: notes) == ["command-replayed"])
            #expect(world.refusals(of: idp) == ["command-replayed", "command-replayed"])
            #expect(asked.kinds == [.signIn, .consent])
            #expect(try await client.role.accounts.all() == [account])
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S5", "M4")) func `is taken once also by a process that was started since, and at any later time`()
        throws
    {
        try simulate { world in
            let tap = Tap()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.bus = tap.listening(on: $0.bus) }
            _ = try await client.role.login(.handOff())
            await broker.kill()
            let asked = NotedDialogue(Script.allowing("alice"))
            let second = try await world.runBroker(dialogue: asked)
            let url = try #require(tap.urls(.authrequest).first)
            let replayer = world.bus.connect()
            try await replayer.open(url, at: idp, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp) == ["command-replayed"])
            await second.stop()
            try await world.environment.sleep(for: .seconds(3_600))
            let third = try await world.runBroker(dialogue: asked)
            try await replayer.open(url, at: idp, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp) == ["command-replayed", "command-expired"])
            #expect(asked.kinds.isEmpty)
            await client.stop()
            await third.stop()
        }
    }

    @Test(.rule("M9")) func `delivered twice in the same moment gives one login`() throws {
        for seed in UInt64(1)...10 {
            try simulate(seed: seed) { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { surroundings in
                    let inner = surroundings.bus
                    surroundings.bus = TappedBus(inner) { name, url in
                        if name == .authresponse { try await inner.open(url, at: notes, startIfNeeded: false) }
                        return .pass
                    }
                }
                let client = try await world.runClient(dialogue: NoDialogue())
                #expect(try await client.role.login(.handOff()).0.username == "alice")
                try await world.environment.sleep(for: .seconds(1))
                #expect(world.refusals(of: notes) == ["command-replayed"])
                await client.stop()
                await broker.stop()
            }
        }
    }
}
