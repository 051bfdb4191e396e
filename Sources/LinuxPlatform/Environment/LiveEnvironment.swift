import Basics
import CLinux
import JOSE
package import Platform

extension Environment {
    /// The real clock, timers, randomness and threads.
    ///
    /// - Parameter executor: what spawned tasks prefer to run on, usually one event loop.
    package static func live(executor: (any TaskExecutor)? = nil) -> Environment {
        let pool = OffloadPool(threads: 2)
        return Environment(
            now: LiveClock.now,
            sleep: { duration in try await Task.sleep(for: max(duration, .zero)) },
            randomBytes: { count in RandomBytes.cryptographic(count) },
            offload: { work in await pool.run(work) },
            tasks: TaskScope(executor: executor))
    }
}

/// The machine's wall clock.
enum LiveClock {
    /// The instant now, in UTC.
    @Sendable static func now() -> Timestamp {
        Timestamp(microseconds: countersign_wall_clock_microseconds())
    }
}
