import Basics
import Platform
import Testing

@Suite struct `An environment` {
    @Test func `a clock that is moved wakes who has slept long enough, and no one else`() async throws {
        let clock = ManualClock(at: Timestamp(seconds: 100))
        let environment = Environment.manual(clock)
        let tally = Tally()
        let (short, long) = (Promise<Void>(), Promise<Void>())
        environment.spawn("short") {
            tally.note("begun")
            try await environment.sleep(for: .seconds(5))
            short.fulfil()
        }
        environment.spawn("long") {
            tally.note("begun")
            try await environment.sleep(for: .seconds(50))
            long.fulfil()
        }
        while tally.lines.count < 2 { await Task.yield() }
        // The sleepers begin within a few turns; moving the clock in small steps never passes one by unseen.
        while short.outcome == nil {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(environment.now() >= Timestamp(seconds: 105))
        await environment.stop()
        #expect(long.outcome == nil || environment.now() >= Timestamp(seconds: 150))
    }

    @Test func `in a fixed environment a sleep ends only by cancellation`() async throws {
        let environment = Environment.fixed(now: Timestamp(seconds: 9))
        let sleeper = environment.spawn("sleeper") { try await environment.sleep(for: .nanoseconds(1_000)) }
        await environment.stop()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(environment.now() == Timestamp(seconds: 9))
    }

    @Test func `after stop nothing starts any more`() async {
        let environment = Environment.fixed()
        await environment.stop()
        let tally = Tally()
        let late = environment.spawn("late") { tally.note("ran") }
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(tally.lines.isEmpty)
    }

    @Test func `stopping one party leaves the others`() async throws {
        let environment = Environment.fixed()
        let (one, two) = (environment.party(), environment.party())
        await one.stop()
        #expect(try await two.spawn("work") { 1 }.value == 1)
        await #expect(throws: CancellationError.self) { try await one.spawn("work") { 1 }.value }
        await environment.stop()
    }

    @Test func `offloaded work hands back its value or its error`() async throws {
        let environment = Environment.fixed()
        #expect(try await environment.offload { 7 } == 7)
        await #expect(throws: Fault(.noOpener)) { try await environment.offload { throw Fault(.noOpener) } }
    }

    @Test func `a UUID is of version four and of the RFC's variant`() {
        let environment = Environment.fixed()
        for _ in 0..<50 {
            #expect(
                environment.uuid().wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                    != nil)
        }
        #expect(Set((0..<50).map { _ in environment.uuid() }).count == 50)
    }
}

@Suite struct `A promise` {
    @Test func `the first outcome counts, for those who wait and those who come later`() async throws {
        let promise = Promise<Int>()
        async let early = promise.value()
        #expect(promise.fulfil(1))
        #expect(!promise.fulfil(2))
        #expect(try await early == 1)
        #expect(try await promise.value() == 1)
    }

    @Test func `a cancelled waiter leaves, the others stay`() async throws {
        let promise = Promise<Int>()
        let leaving = Environment.fixed().spawn("leaving") { try await promise.value() }
        let staying = Environment.fixed().spawn("staying") { try await promise.value() }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        promise.fulfil(3)
        #expect(try await staying.value == 3)
    }
}
