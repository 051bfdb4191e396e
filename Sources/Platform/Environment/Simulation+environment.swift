import Basics
import Synchronization

extension Simulation {
    /// An environment in this world, with a task scope of its own. `run` makes the root's; `party()` makes the others.
    func environment() -> Environment {
        Environment(
            now: { self.now },
            sleep: { try await self.sleep(for: $0) },
            randomBytes: { self.random.bytes($0) },
            offload: { work in
                await Task.yield()
                work()
                await Task.yield()
            },
            tasks: TaskScope(executor: self))
    }

    private func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return await Task.yield() }
        let promise = Promise<Void>()
        let number = state.withLock { state in
            state.count += 1
            state.timers.append(Timer(due: state.now + duration, number: state.count, promise: promise))
            return state.count
        }
        do {
            try await promise.value()
        } catch {
            // A cancelled sleep must not move the clock, nor hide a stall.
            state.withLock { $0.timers.removeAll { $0.number == number } }
            throw error
        }
    }
}

extension Simulation: TaskWatcher {
    func taskStarted(_ name: String) -> Int {
        state.withLock { state in
            state.count += 1
            state.unfinished[state.count] = name
            return state.count
        }
    }

    func taskEnded(_ number: Int) { state.withLock { $0.unfinished[number] = nil } }
}
