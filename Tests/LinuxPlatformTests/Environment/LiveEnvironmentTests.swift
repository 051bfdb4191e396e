import Basics
import CLinux
import LinuxPlatform
import Platform
import Synchronization
import Testing

/// Where threads wait for each other.
private final class Meeting: Sendable {
    private let present = Mutex<Set<Int32>>([])

    var threads: Set<Int32> { present.withLock { $0 } }

    func attend(of count: Int) {
        _ = present.withLock { $0.insert(countersign_thread_id()) }
        while threads.count < count {}
    }
}

@Suite(.timeLimit(.minutes(1)))
struct LiveEnvironmentTests {
    private let environment = Environment.live()

    @Test func `sleep ends after the time asked for, and the clock has moved on`() async throws {
        let start = environment.now()
        try await environment.sleep(for: .milliseconds(20))
        #expect(environment.now() - start >= .milliseconds(19))
        try await environment.sleep(for: .seconds(-5))
    }

    @Test func `a sleep that is cancelled ends at once`() async throws {
        let environment = environment
        let sleeper = environment.spawn("sleeper") { try await environment.sleep(for: .seconds(3_600)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `stop ends what was spawned`() async throws {
        let party = environment.party()
        let sleeper = party.spawn("sleeper") { try await party.sleep(for: .seconds(3_600)) }
        await party.stop()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `offloaded work runs on threads of its own, two at a time, and its error comes back`() async throws {
        struct Refused: Error {}
        let environment = environment
        let meeting = Meeting()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    // Ends only when the other one is there too.
                    try await environment.offload { meeting.attend(of: 2) }
                }
            }
            try await group.waitForAll()
        }
        #expect(meeting.threads.count == 2)
        await #expect(throws: Refused.self) { try await environment.offload { throw Refused() } }
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<200 { group.addTask { try await environment.offload { number * number } } }
            return try await group.reduce(0, +)
        }
        #expect(results == (0..<200).reduce(0) { $0 + $1 * $1 })
    }

    @Test func `random bytes are as many as asked for and not the same twice`() {
        #expect(environment.randomBytes(32).count == 32)
        #expect(environment.randomBytes(0).isEmpty)
        #expect(environment.randomBytes(32) != environment.randomBytes(32))
    }
}
