import Basics
import LinuxPlatform
import Platform
import Synchronization

/// How long a timer waits on a loop whose other handler never stops yielding.
struct LoopBench: Sendable {
    let isQuick: Bool

    func run() async throws -> [BenchRow] {
        let loop = try EventLoop.start(name: "bench")
        defer { loop.stop() }
        let environment = Environment.live(executor: loop)
        let done = Flag()
        let greedy = environment.spawn("yields for ever") {
            while !done.isSet { await Task.yield() }
        }
        var delays: [Duration] = []
        for _ in 0..<(isQuick ? 3 : 100) {
            let promise = Promise<Void>()
            let began = ContinuousClock.now
            try await loop.run { loop.timer { promise.fulfil() }.schedule(after: .milliseconds(2)) }
            try await promise.value()
            delays.append(ContinuousClock.now - began - .milliseconds(2))
        }
        done.set()
        _ = await greedy.result
        let sorted = delays.sorted()
        return [
            BenchRow(
                "timer delay beside a handler that yields for ever, worst", unit: "ms",
                value: (sorted.last ?? .zero).seconds * 1_000, p50: sorted.quantile(0.5), p99: sorted.quantile(0.99))
        ]
    }
}

/// Says once that it is over.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
