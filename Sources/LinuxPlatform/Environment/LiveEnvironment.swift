import Basics
import Glibc
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
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
