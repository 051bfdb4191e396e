package import Basics
import Synchronization

/// Runs a whole world in one thread, in an order that follows from a seed: a task executor with a virtual clock that
/// picks the next of the ready jobs by the seed, and moves the clock only when nothing is ready.
///
/// It holds what it promises only for tasks that take time, sleep, randomness and new tasks from `Environment`. A
/// task that does not is noticed, and the run fails: when its job comes back from another thread, when the world
/// stands still without it, or, where the runtime lets us look, when it starts (`catchesPlainTasks`). A plain task
/// that is isolated to the actor that runs just now is not noticed while it does not wait: it runs in place, in order.
package final class Simulation: TaskExecutor {
    struct Timer: Sendable {
        var due: Timestamp
        var number: Int
        var promise: Promise<Void>
    }

    struct State {
        var ready: [UnownedJob] = []
        var timers: [Timer] = []
        var unfinished: [Int: String] = [:]
        var now: Timestamp
        var choices: SplitMix64
        var count = 0
        var steps = 0
        var isRunning = false
        var escape: (reason: String, pending: [String])?

        /// What has not ended: tasks by name, then sleeps.
        var pending: [String] {
            unfinished.sorted { $0.key < $1.key }.map { "task \($0.value)" }
                + timers.sorted { ($0.due, $0.number) < ($1.due, $1.number) }.map { "a sleep until \($0.due)" }
        }

        /// Notes who was there when it happened: a moment later the task that left may have ended.
        mutating func noteEscape(_ reason: String) {
            if escape == nil { escape = (reason, pending) }
        }
    }

    /// The seed that everything follows from.
    package let seed: UInt64
    let state: Mutex<State>
    let random: SeededBytes
    private let stepLimit: Int

    /// Makes a world that stands at `instant`. A run that is not done after `stepLimit` jobs fails as stalled.
    package init(
        seed: UInt64, startingAt instant: Timestamp = Timestamp(seconds: 1_800_000_000), stepLimit: Int = 20_000_000
    ) {
        self.seed = seed
        self.stepLimit = stepLimit
        state = Mutex(State(now: instant, choices: SplitMix64(seed: seed)))
        // Another stream than the choices': a job more or less does not change the bytes.
        random = SeededBytes(seed: ~seed)
    }

    /// The virtual clock.
    package var now: Timestamp { state.withLock(\.now) }

    /// How many jobs have run.
    package var steps: Int { state.withLock(\.steps) }

    /// Whether a `Task { }` started inside a run is noticed at once. It hangs on a variable of the Swift runtime that
    /// is exported but not documented; where it is missing, such tasks are noticed only when they come back.
    package static var catchesPlainTasks: Bool { PlainTaskHook.isInstalled }

    /// Runs `body` as the root task, and everything it starts, on this thread; returns when the root has ended and
    /// what it spawned in its environment has been stopped.
    ///
    /// - Throws: what `body` throws; `Fault` with `simulation-escaped` when a task left the simulation, with
    ///   `simulation-stalled` when nothing can go on and the root has not ended. Both texts name the seed.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable (Environment) async throws -> Result
    ) throws -> Result {
        try state.withLock { state in
            guard !state.isRunning else { throw Fault(.internalFault, detail: "a simulation that runs already") }
            state.isRunning = true
        }
        _ = PlainTaskHook.isInstalled
        let outer = CurrentSimulation.enter(self)
        defer {
            CurrentSimulation.leave(to: outer)
            state.withLock { $0.isRunning = false }
        }
        let environment = environment()
        let outcome = Promise<Result>()
        let root = Task(name: "root", executorPreference: self, priority: .medium) {
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(environment)) } catch { result = .failure(error) }
            await environment.stop()
            outcome.settle(result)
        }
        do {
            let result = try advance { outcome.outcome }
            drain()
            return try result.get()
        } catch let fault as Fault where [.simulationEscaped, .simulationStalled].contains(fault.code) {
            root.cancel()
            drain()
            throw fault
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isOurs = CurrentSimulation.value === self
        state.withLock { state in
            if state.isRunning, !isOurs { state.noteEscape("a job came from a foreign thread") }
            state.ready.append(job)
        }
    }

    /// Takes in a job that was meant for Swift's own threads.
    func capture(_ job: UnownedJob) {
        state.withLock { state in
            state.noteEscape("a task was started without Environment.spawn")
            state.ready.append(job)
        }
    }
}

extension Simulation {
    /// Runs jobs and timers until there is an outcome.
    private func advance<Outcome>(until outcome: () -> Outcome?) throws -> Outcome {
        while true {
            if let escape = state.withLock(\.escape) {
                throw failure(.simulationEscaped, escape.reason, pending: escape.pending)
            }
            if let outcome = outcome() { return outcome }
            guard steps < stepLimit else { throw failure(.simulationStalled, "no end after \(stepLimit) jobs") }
            guard runOneJob() || fireTimers() else {
                throw failure(.simulationStalled, "nothing is ready and no timer is set")
            }
        }
    }

    /// Lets what has been cancelled come to its end, without moving the clock.
    private func drain() {
        for _ in 0..<100_000 where !runOneJob() { return }
    }

    private func runOneJob() -> Bool {
        let job: UnownedJob? = state.withLock { state in
            guard !state.ready.isEmpty else { return nil }
            state.steps += 1
            let index = state.choices.next(below: state.ready.count)
            state.ready.swapAt(index, state.ready.count - 1)
            return state.ready.removeLast()
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
        return job != nil
    }

    /// Moves the clock to the next timer, and wakes all that are due then; the seed orders them.
    private func fireTimers() -> Bool {
        let due: [Timer] = state.withLock { state in
            guard let next = state.timers.map(\.due).min() else { return [] }
            state.now = max(state.now, next)
            let due = state.timers.filter { $0.due == next }
            state.timers.removeAll { $0.due == next }
            return due
        }
        for timer in due { timer.promise.fulfil() }
        return !due.isEmpty
    }

    private func failure(_ code: ErrorCode, _ why: String, pending: [String]? = nil) -> Fault {
        let (steps, now, waits) = state.withLock { state in (state.steps, state.now, pending ?? state.pending) }
        let shown = waits.prefix(20).joined(separator: ", ") + (waits.count > 20 ? " and \(waits.count - 20) more" : "")
        return Fault(
            code,
            "Simulation with seed \(seed): \(why), after \(steps) jobs, at \(now). "
                + "Pending: \(waits.isEmpty ? "the root alone" : shown).")
    }
}
