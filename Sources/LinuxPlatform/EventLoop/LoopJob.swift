/// A job in a loop's queue, with the way it must be run.
struct LoopJob: Sendable {
    let job: UnownedJob
    /// The loop's face as an actor's executor, when the job came through it.
    let isolation: UnownedSerialExecutor?

    /// Runs the job on the current thread, which is the loop's.
    func run(on executor: UnownedTaskExecutor) {
        if let isolation {
            job.runSynchronously(isolatedTo: isolation, taskExecutor: executor)
        } else {
            job.runSynchronously(on: executor)
        }
    }
}

/// What other threads have queued, and whether the loop still runs.
struct ForeignQueue {
    enum Phase: Equatable {
        case running
        case stopping
        /// libevent has ended; a thread may still be running late jobs.
        case ended(isServed: Bool)
    }

    var jobs: [LoopJob] = []
    var phase: Phase = .running
}

/// The loop as the executor of actors.
///
/// It is not the loop itself, so that the loop can tell an actor's job from a task's: the runtime is told that the job
/// is isolated, and need not queue it again to find that it is where it should be.
final class LoopSerialExecutor: SerialExecutor {
    // The loop owns this face, and whoever uses it holds the loop.
    private unowned let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.enqueue(LoopJob(job: UnownedJob(job), isolation: asUnownedSerialExecutor()))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func checkIsolated() { loop.checkThread() }

    func isIsolatingCurrentContext() -> Bool? { loop.isOnThread }
}
