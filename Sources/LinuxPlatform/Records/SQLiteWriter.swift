import Basics
import Platform
import Synchronization

/// The one thread that writes: all closures that wait are run under one commit, each in its own savepoint.
final class SQLiteWriter: Sendable {
    /// A write that waits.
    struct Job: Sendable {
        let durability: Durability
        /// Runs the caller's closure and keeps its result.
        let run: @Sendable (borrowing Transaction) -> Ending
        /// Wakes the caller with an error when the closure could not be run.
        let refuse: @Sendable (any Error) -> Void
    }

    /// What became of a closure that has run.
    struct Ending {
        /// What it threw: its changes are undone, the others' are not.
        let failure: (any Error)?
        /// Wakes the caller: with the closure's own result, or with the error that undid the whole batch.
        let resume: (_ batchFailure: (any Error)?) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var closing = false
        var closed = false
        var closeWaiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The most closures under one commit, so that the first does not wait for a crowd behind it.
    private static let largestBatch = 512

    private let connection: SQLiteConnection
    private let state = Mutex(State())
    private let arrivals = Semaphore()

    /// Takes over the connection and starts the thread.
    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        try WorkerThread.start { self.serve() }
    }

    /// Queues a write; returns `false` when the store is closing.
    func submit(_ job: Job) -> Bool {
        state.withLock { state in
            guard !state.closing else { return false }
            if state.waiting.isEmpty { arrivals.signal() }
            state.waiting.append(job)
            return true
        }
    }

    /// Lets the thread end after the writes that are queued.
    func finish() {
        state.withLock { state in
            if !state.closing { arrivals.signal() }
            state.closing = true
        }
    }

    /// Ends the thread after the writes that are queued, and returns when the file is closed.
    func close() async {
        finish()
        await withCheckedContinuation { continuation in
            let closed = state.withLock { state in
                if !state.closed { state.closeWaiters.append(continuation) }
                return state.closed
            }
            if closed { continuation.resume() }
        }
    }

    // MARK: On the writer's thread

    private func serve() {
        var isFull: Bool?
        while true {
            arrivals.wait()
            while true {
                let batch = state.withLock { state in
                    let batch = Array(state.waiting.prefix(SQLiteWriter.largestBatch))
                    state.waiting.removeFirst(batch.count)
                    return batch
                }
                if batch.isEmpty { break }
                commit(batch, &isFull)
            }
            // Signalled once more by `finish`, after which nothing is queued.
            if state.withLock({ $0.closing && $0.waiting.isEmpty }) { break }
        }
        connection.close()
        let waiters = state.withLock { state in
            state.closed = true
            defer { state.closeWaiters = [] }
            return state.closeWaiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func commit(_ batch: [Job], _ isFull: inout Bool?) {
        var endings: [Ending] = []
        do {
            let wantsFull = batch.contains { $0.durability == .full }
            if isFull != wantsFull {
                // SQLite does not change this inside a transaction.
                isFull = nil
                try connection.run(wantsFull ? .synchronousFull : .synchronousNormal)
                isFull = wantsFull
            }
            try connection.run(.beginWrite)
            for job in batch { endings.append(try runInSavepoint(job)) }
            try connection.run(.commit)
        } catch {
            if connection.isInTransaction { try? connection.run(.rollback) }
            let failure = SQLiteFailure.translated(error)
            for ending in endings { ending.resume(failure) }
            // Those whose turn had not come are refused without running: their effects could not be kept either.
            for job in batch.dropFirst(endings.count) { job.refuse(failure) }
            return
        }
        for ending in endings { ending.resume(nil) }
    }

    private func runInSavepoint(_ job: Job) throws -> Ending {
        try connection.run(.savepoint)
        let ending = job.run(Transaction(SQLiteBacking(connection: connection)))
        // After a full disk and the like SQLite has undone the whole transaction by itself, and everyone has to know.
        guard connection.isInTransaction else {
            throw ending.failure as? SQLiteFailure
                ?? Fault(.storeUnavailable, detail: "a failed statement undid the batch")
        }
        if ending.failure != nil { try connection.run(.rollbackToSavepoint) }
        try connection.run(.release)
        return ending
    }
}
