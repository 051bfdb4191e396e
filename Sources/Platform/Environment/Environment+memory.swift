package import Basics
import Synchronization

extension Environment {
    /// An environment whose time is that clock's and whose random bytes follow from `seed`, for unit tests. Its tasks
    /// run on Swift's own threads, so their order is not fixed: that is what `Simulation` is for.
    package static func manual(_ clock: ManualClock, seed: UInt64 = 1) -> Environment {
        let random = SeededBytes(seed: seed)
        return Environment(
            now: { clock.now },
            sleep: { try await clock.sleep(for: $0) },
            randomBytes: { random.bytes($0) },
            offload: { work in work() },
            tasks: TaskScope())
    }

    /// An environment in which no time passes: a sleep ends only when it is cancelled.
    package static func fixed(
        now: Timestamp = Timestamp(seconds: 1_800_000_000), seed: UInt64 = 1
    ) -> Environment {
        manual(ManualClock(at: now), seed: seed)
    }
}

/// Bytes that follow from a seed, one after the other for all who ask.
final class SeededBytes: Sendable {
    private let generator: Mutex<SplitMix64>

    init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
