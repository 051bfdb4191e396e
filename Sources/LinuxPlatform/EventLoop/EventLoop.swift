import Basics
import CEvent
import CLinux
import Glibc
import Synchronization

/// A libevent loop on a thread of its own that is also a Swift executor, so that async code stays on that thread.
///
/// A task that prefers the loop (`executorPreference:`) returns to it after every `await`. An actor whose
/// `unownedExecutor` is `loop.asUnownedSerialExecutor()` runs on the loop's thread only, and is the place for whatever
/// owns a libevent, sd-bus or other handle of that thread. A loop runs until `stop()`.
// Unchecked: `local`, `batch`, `base` and what else is plain is touched on the loop's thread only, which `checkThread`
// holds in release builds as well; the rest is behind `foreign` or atomic.
package final class EventLoop: TaskExecutor, SerialExecutor, @unchecked Sendable {
    /// The name of the loop's thread.
    package let name: String

    let foreign = Mutex(ForeignQueue())
    let threadID = Atomic<Int32>(0)
    private let started = Latch()
    private let ended = Latch()
    private let wakeDescriptor: Int32

    // The loop's own thread only, from here on.
    private(set) var base: OpaquePointer?
    private var local: [LoopJob] = []
    private var batch: [LoopJob] = []
    private var incoming: [LoopJob] = []
    private var isDraining = false
    private var wake: OpaquePointer?
    private var again: OpaquePointer?
    private var isAgainArmed = false
    private var activated: [LoopEvent] = []
    private var events: [ObjectIdentifier: LoopEvent] = [:]
    private var endings: [Int: () -> Void] = [:]
    private var nextEnding = 0
    // Never nil after `init`; it cannot be a constant because it refers back to the loop.
    private var serialFace: LoopSerialExecutor?

    /// Starts a loop on a new thread and returns when it runs.
    ///
    /// - Throws: `loop-unavailable` when the machine gives no thread or descriptor.
    package static func start(name: String) throws -> EventLoop {
        let loop = try EventLoop(name: name)
        var thread = pthread_t()
        let context = Unmanaged.passRetained(loop)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().main()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw Fault(.loopUnavailable, detail: "pthread_create: \(status)")
        }
        pthread_detach(thread)
        loop.started.wait()
        return loop
    }

    private init(name: String) throws {
        self.name = name
        wakeDescriptor = countersign_event_descriptor()
        guard wakeDescriptor >= 0 else { throw Fault(.loopUnavailable, detail: "eventfd: \(countersign_errno())") }
        let configuration = event_config_new()
        defer { event_config_free(configuration) }
        // One thread touches the base; other threads write to the wake descriptor. So libevent needs no locks.
        event_config_set_flag(configuration, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
        base = event_base_new_with_config(configuration)
        guard base != nil else {
            close(wakeDescriptor)
            throw Fault(.loopUnavailable, detail: "event_base_new failed")
        }
        serialFace = LoopSerialExecutor(self)
    }

    /// Ends the loop: frees its handles and ends its thread. Returns when that is done, unless called on the loop.
    ///
    /// Jobs that arrive later still run, one at a time, on a thread made for them, so that no task is lost.
    package func stop() {
        let isFirst = foreign.withLock { queue in
            guard queue.phase == .running else { return false }
            queue.phase = .stopping
            wakeUp()
            return true
        }
        if !isOnThread {
            ended.wait()
        } else if isFirst, let base {
            event_base_loopbreak(base)
        }
    }

    /// Whether the caller is on the loop's thread.
    package var isOnThread: Bool { threadID.load(ordering: .relaxed) == countersign_cached_thread_id() }

    /// Ends the program when the caller is not on the loop's thread: a libevent handle was about to be touched there.
    package func checkThread() {
        precondition(isOnThread, "A handle of the event loop was touched on another thread.")
    }

    /// Runs `body` on the loop's thread.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withTaskExecutorPreference(self) { try body() }
    }

    /// Watches a descriptor; on the loop's thread only.
    ///
    /// - Parameters:
    ///   - events: `EV_READ`, `EV_WRITE`, both, or 0 to begin without either.
    ///   - body: gets the events that are there, or 0 after `activate()`.
    package func watch(descriptor: Int32, events: Int16, _ body: @escaping (Int16) -> Void) -> LoopEvent {
        checkThread()
        let event = LoopEvent(self, descriptor: descriptor, body)
        self.events[ObjectIdentifier(event)] = event
        event.set(events: events)
        return event
    }

    /// Makes a timer that is not yet scheduled; on the loop's thread only.
    package func timer(_ body: @escaping () -> Void) -> LoopEvent {
        checkThread()
        let event = LoopEvent(self, descriptor: -1) { _ in body() }
        events[ObjectIdentifier(event)] = event
        return event
    }
}

// MARK: The executor

extension EventLoop {
    package func enqueue(_ job: consuming ExecutorJob) { enqueue(LoopJob(job: UnownedJob(job), isolation: nil)) }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        // Never nil after `init`.
        guard let serialFace else { preconditionFailure("The loop was not initialised.") }
        return serialFace.asUnownedSerialExecutor()
    }

    package func checkIsolated() { checkThread() }

    package func isIsolatingCurrentContext() -> Bool? { isOnThread }

    func enqueue(_ job: LoopJob) {
        if isOnThread {
            local.append(job)
            // Outside a drain nobody else would look at `local`: a task that a timer resumed would never wake.
            if !isDraining { callAgain() }
            return
        }
        foreign.withLock { queue in
            queue.jobs.append(job)
            switch queue.phase {
            case .running, .stopping:
                if queue.jobs.count == 1 { wakeUp() }
            case .ended(isServed: true):
                break
            case .ended(isServed: false):
                queue.phase = .ended(isServed: true)
                startServant()
            }
        }
    }

    /// Runs a libevent callback's work, and then the jobs that it queued, before the callback returns.
    func callback(_ body: () -> Void) {
        guard !isDraining else { return body() }
        isDraining = true
        body()
        isDraining = false
        drain()
    }

    /// Runs what is queued now. What is queued meanwhile waits until libevent has looked at its sockets and timers.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        runBatch()
        isDraining = false
        if !local.isEmpty { callAgain() }
    }

    private func runBatch() {
        swap(&local, &batch)
        let executor = asUnownedTaskExecutor()
        for job in batch { job.run(on: executor) }
        batch.removeAll(keepingCapacity: true)
    }
}

// MARK: The thread

extension EventLoop {
    private func main() {
        countersign_block_broken_pipe()
        countersign_name_thread(name)
        threadID.store(countersign_cached_thread_id(), ordering: .relaxed)
        let context = Unmanaged.passUnretained(self).toOpaque()
        wake = event_new(
            base, wakeDescriptor, Int16(EV_READ | EV_PERSIST),
            { _, _, context in
                guard let context else { return }
                Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().receiveForeignJobs()
            }, context)
        again = event_new(
            base, -1, 0,
            { _, _, context in
                guard let context else { return }
                Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().goAgain()
            }, context)
        event_add(wake, nil)
        started.signal()
        event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
        end()
        ended.signal()
        serveLateJobs()
    }

    private func wakeUp() {
        var one: UInt64 = 1
        // It fails only when the counter is full, and then the loop is awake already.
        _ = write(wakeDescriptor, &one, 8)
    }

    private func receiveForeignJobs() {
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, 8)
        let isStopping = foreign.withLock { queue in
            swap(&queue.jobs, &incoming)
            return queue.phase != .running
        }
        local.append(contentsOf: incoming)
        incoming.removeAll(keepingCapacity: true)
        if isStopping, let base { event_base_loopbreak(base) }
        drain()
    }

    /// Asks for another drain after libevent has looked at its sockets.
    ///
    /// A timer of zero length does this. `event_active` does not: libevent runs an event that activates itself again
    /// in the same pass, without a look at the sockets.
    private func callAgain() {
        guard !isAgainArmed, let again else { return }
        isAgainArmed = true
        var none = timeval()
        event_add(again, &none)
    }

    private func goAgain() {
        isAgainArmed = false
        if !activated.isEmpty {
            let events = activated
            activated.removeAll()
            for event in events { event.fire(0) }
        }
        drain()
    }

    func activate(_ event: LoopEvent) {
        activated.append(event)
        callAgain()
    }

    func forget(_ event: LoopEvent) { events[ObjectIdentifier(event)] = nil }

    /// Calls `body` on the loop's thread before its base is freed; the number takes it back.
    func atEnd(_ body: @escaping () -> Void) -> Int {
        checkThread()
        nextEnding += 1
        endings[nextEnding] = body
        return nextEnding
    }

    func forgetEnding(_ number: Int) {
        checkThread()
        endings[number] = nil
    }

    private func end() {
        isDraining = true
        for (_, body) in endings.sorted(by: { $0.key < $1.key }) { body() }
        endings.removeAll()
        activated.removeAll()
        for event in Array(events.values) { event.free() }
        for event in [wake, again] { event_free(event) }
        wake = nil
        again = nil
        event_base_free(base)
        base = nil
        foreign.withLock { queue in
            queue.phase = .ended(isServed: true)
            close(wakeDescriptor)
        }
    }

    /// Runs jobs without libevent, until there are none.
    private func serveLateJobs() {
        isDraining = true
        while true {
            let isDone = foreign.withLock { queue in
                swap(&queue.jobs, &incoming)
                guard incoming.isEmpty, local.isEmpty else { return false }
                threadID.store(0, ordering: .relaxed)
                queue.phase = .ended(isServed: false)
                return true
            }
            if isDone { return }
            local.append(contentsOf: incoming)
            incoming.removeAll(keepingCapacity: true)
            runBatch()
        }
    }

    private func startServant() {
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let loop = Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue()
                loop.threadID.store(countersign_cached_thread_id(), ordering: .relaxed)
                loop.serveLateJobs()
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        // Without a thread the task would wait for ever, and there is nobody to tell.
        precondition(status == 0, "There is no thread for the jobs of a stopped loop.")
        pthread_detach(thread)
    }
}
