import Synchronization

/// A few threads for slow synchronous work, so that event loops and Swift's own pool stay free.
///
/// The threads start with the first work and end with the pool.
final class OffloadPool: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
        var ended = false
    }

    /// What threads share; they do not hold the pool itself, so that it can end.
    private final class Queue: Sendable {
        let state = Mutex(State())
        let arrivals = Semaphore()

        func serve() {
            while true {
                arrivals.wait()
                let (work, ended) = state.withLock { state in
                    (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.ended)
                }
                work?()
                if ended { return }
            }
        }

        func runAllHere() {
            while let work = state.withLock({ $0.waiting.popLast() }) { work() }
        }
    }

    private let queue = Queue()
    private let limit: Int

    init(threads limit: Int) { self.limit = limit }

    deinit {
        let threads = queue.state.withLock { state in
            state.ended = true
            return state.threads
        }
        for _ in 0..<threads { queue.arrivals.signal() }
    }

    /// Runs `work` on one of the threads and returns when it is done.
    func run(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let needsThread = queue.state.withLock { state in
                state.waiting.append {
                    work()
                    continuation.resume()
                }
                guard state.threads < limit else { return false }
                state.threads += 1
                return true
            }
            if needsThread { startThread() }
            queue.arrivals.signal()
        }
    }

    private func startThread() {
        do {
            try WorkerThread.start { [queue] in queue.serve() }
        } catch {
            let remaining = queue.state.withLock { state in
                state.threads -= 1
                return state.threads
            }
            // Without any thread the work is done here: slow, but never lost.
            if remaining == 0 { queue.runAllHere() }
        }
    }
}
