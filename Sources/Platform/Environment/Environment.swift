package import Basics

/// The only source of time, sleep, randomness and new tasks that a role has.
///
/// One value per party: what it spawns belongs to it and ends with `stop()`. In a `Simulation` every member is
/// deterministic.
package struct Environment: Sendable {
    /// The wall clock.
    package let now: @Sendable () -> Timestamp
    /// Bytes that nobody can guess. Deterministic in a simulation.
    package let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    private let sleeper: @Sendable (Duration) async throws -> Void
    private let offloader: @Sendable (@escaping @Sendable () -> Void) async -> Void
    private let tasks: TaskScope

    /// Makes an environment from its effects.
    ///
    /// - Parameters:
    ///   - sleep: waits that long; throws `CancellationError` when the task is cancelled meanwhile.
    ///   - offload: runs slow synchronous work away from the event loops, and returns when it is done.
    ///   - tasks: where spawned work lives.
    package init(
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (_ count: Int) -> [UInt8],
        offload: @escaping @Sendable (@escaping @Sendable () -> Void) async -> Void,
        tasks: TaskScope
    ) {
        self.now = now
        self.randomBytes = randomBytes
        sleeper = sleep
        offloader = offload
        self.tasks = tasks
    }

    /// The same surroundings with a task scope of its own, for one more party.
    package func party() -> Environment {
        Environment(now: now, sleep: sleeper, randomBytes: randomBytes, offload: offloader, tasks: tasks.sibling())
    }

    /// Waits; throws `CancellationError` when cancelled meanwhile.
    package func sleep(for duration: Duration) async throws {
        try await sleeper(duration)
    }

    /// Runs slow synchronous work (a password hash, an RSA key) away from the event loops.
    package func offload<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let box = ResultBox<Result>()
        await offloader { box.fill { try work() } }
        return try box.value()
    }

    /// Starts work that outlives its caller. It belongs to the party: cancelled and awaited when the party stops.
    ///
    /// After `stop()` nothing starts any more: the returned task throws `CancellationError`.
    @discardableResult
    package func spawn<Result: Sendable>(
        _ name: String, _ work: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        tasks.spawn(name, work)
    }

    /// Cancels what the party spawned and returns when all of it has ended.
    package func stop() async {
        await tasks.stop()
    }
}

extension Environment {
    /// Runs `work`, and gives up with `fault` when it is not done in time.
    ///
    /// - Throws: what `work` throws, or `fault` after `duration`.
    package func withDeadline<Result: Sendable>(
        _ duration: Duration, orThrow fault: @autoclosure @escaping @Sendable () -> Fault,
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask { try await work() }
            group.addTask {
                try await self.sleep(for: duration)
                throw fault()
            }
            defer { group.cancelAll() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    /// A random UUID (RFC 9562 §5.4) in lower case.
    package func uuid() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
        return groups.map { digits[$0].joined() }.joined(separator: "-")
    }
}
