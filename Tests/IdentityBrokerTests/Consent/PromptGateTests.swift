import Basics
import Handoff
import Platform
import Testing

@testable import IdentityBroker

@Suite struct `Prompts about a client` {
    private let now = Timestamp(seconds: 1_000)

    private func id(_ text: String = "org.example.notes") throws -> AppID { try AppID(text) }

    /// The promise of a turn, where it has to be waited for.
    private func turn(_ entry: PromptGate.Entry) -> Promise<Void>? {
        if case .wait(let turn) = entry { turn } else { nil }
    }

    private func isOpen(_ entry: PromptGate.Entry) -> Bool { if case .open = entry { true } else { false } }

    private func isRefused(_ entry: PromptGate.Entry) -> Bool { if case .refused = entry { true } else { false } }

    @Test func `come one at a time, in the order in which they were asked for`() throws {
        var gate = PromptGate()
        #expect(isOpen(gate.enter(try id(), now: now)))
        let second = try #require(turn(gate.enter(try id(), now: now)))
        let third = try #require(turn(gate.enter(try id(), now: now)))
        #expect(second.outcome == nil)
        gate.leave(try id())
        #expect(second.outcome != nil)
        #expect(third.outcome == nil)
        gate.leave(try id())
        #expect(third.outcome != nil)
        gate.leave(try id())
        #expect(isOpen(gate.enter(try id(), now: now)))
    }

    @Test func `do not hold up another client`() throws {
        var gate = PromptGate()
        #expect(isOpen(gate.enter(try id(), now: now)))
        #expect(isOpen(gate.enter(try id("org.example.photos"), now: now)))
    }

    @Test func `go on when one that waited has gone, also when its turn had just come`() throws {
        var gate = PromptGate()
        _ = gate.enter(try id(), now: now)
        let second = try #require(turn(gate.enter(try id(), now: now)))
        let third = try #require(turn(gate.enter(try id(), now: now)))
        let fourth = try #require(turn(gate.enter(try id(), now: now)))
        gate.abandon(try id(), second)
        gate.leave(try id())
        #expect(second.outcome == nil)
        #expect(third.outcome != nil)
        gate.abandon(try id(), third)
        #expect(fourth.outcome != nil)
    }

    @Test func `end for ten minutes after two refusals within ten minutes`() throws {
        var gate = PromptGate()
        gate.refused(try id(), now: now)
        #expect(isOpen(gate.enter(try id(), now: now)))
        gate.leave(try id())
        gate.refused(try id(), now: now + .seconds(60))
        #expect(isRefused(gate.enter(try id(), now: now + .seconds(61))))
        #expect(isOpen(gate.enter(try id("org.example.photos"), now: now + .seconds(61))))
        #expect(isOpen(gate.enter(try id(), now: now + .seconds(600))))
    }
}
