import Synchronization

/// The tasks of one party: started in one place, ended in one place.
package final class TaskScope: Sendable {
    private struct State {
        var running: [Int: @Sendable () -> Void] = [:]
        var waits: [Int: @Sendable () async -> Void] = [:]
        var next = 0
        var stopped = false
    }

    private let state = Mutex(State())
    private let executor: (any TaskExecutor)?
    private let watcher: (any TaskWatcher)?

    /// Makes a scope whose tasks prefer `executor`.
    package init(executor: (any TaskExecutor)? = nil) {
        self.executor = executor
        watcher = executor as? any TaskWatcher
    }

    /// An empty scope on the same executor.
    package func sibling() -> TaskScope { TaskScope(executor: executor) }

    /// Starts work that this scope owns; after `stop()` the work does not run.
    package func spawn<Result: Sendable>(
        _ name: String, _ work: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        let number: Int? = state.withLock { state in
            guard !state.stopped else { return nil }
            state.next += 1
            return state.next
        }
        guard let number else {
            return Task.detached(name: name, executorPreference: executor) { throw CancellationError() }
        }
        let watched = watcher?.taskStarted(name)
        let task = Task.detached(name: name, executorPreference: executor) { [self] in
            defer {
                forget(number)
                if let watched { watcher?.taskEnded(watched) }
            }
            return try await work()
        }
        let cancelNow = state.withLock { state in
            guard !state.stopped else { return true }
            // A task may end before it is noted here; noting it then keeps one finished handle until `stop()`.
            state.running[number] = { task.cancel() }
            state.waits[number] = { _ = await task.result }
            return false
        }
        if cancelNow { task.cancel() }
        return task
    }

    private func forget(_ number: Int) {
        state.withLock { state in
            state.running[number] = nil
            state.waits[number] = nil
        }
    }

    /// Cancels all tasks and returns when they have ended. Nothing starts afterwards.
    package func stop() async {
        let (cancels, waits) = state.withLock { state in
            state.stopped = true
            return (
                state.running.sorted { $0.key < $1.key }.map(\.value),
                state.waits.sorted { $0.key < $1.key }.map(\.value)
            )
        }
        for cancel in cancels { cancel() }
        for wait in waits { await wait() }
    }
}
