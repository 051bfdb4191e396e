import CLinux
import Glibc
import Synchronization

/// One thread that waits for descriptors: for what may block neither Swift's pool nor an event loop.
///
/// Handlers and jobs run on this thread, one after the other, so what they own needs no lock. All signals are blocked
/// here: a write into a pipe that nobody reads any more fails, and kills nobody.
final class PollThread: Sendable {
    /// What becomes of a watch after its handler ran.
    enum Next {
        case again
        case done
    }

    /// Gets the events that poll(2) reported.
    typealias Handler = @Sendable (_ events: Int16) -> Next

    private struct Watch {
        let token: Int
        let events: Int16
        let handler: Handler
    }

    private struct State {
        var watches: [Int32: Watch] = [:]
        var jobs: [@Sendable () -> Void] = []
        var nextToken = 0
        var stopping = false
    }

    /// The thread of all children of this process.
    static let shared = PollThread()

    private let state = Mutex(State())
    private let wake: (read: Int32, write: Int32)

    init() {
        // Without two descriptors and a thread nothing that needs this type can work; there is no caller to tell.
        guard let pipe = Pipe.make() else { fatalError("no descriptors left for a waiting thread") }
        pipe.makeNonBlocking()
        wake = (pipe.read, pipe.write)
        DetachedThread.start { [self] in run() }
    }

    /// Calls `handler` on this thread whenever one of `events` holds for the descriptor, until it says it is done.
    func watch(_ descriptor: Int32, for events: Int32, _ handler: @escaping Handler) {
        state.withLock { state in
            state.nextToken += 1
            state.watches[descriptor] = Watch(token: state.nextToken, events: Int16(events), handler: handler)
        }
        wakeUp()
    }

    /// Runs `job` on this thread, after the handlers that run now.
    func perform(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        wakeUp()
    }

    /// Stops watching, then runs `job`, which may close the descriptor.
    func unwatch(_ descriptor: Int32, then job: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.watches[descriptor] = nil
            state.jobs.append(job)
        }
        wakeUp()
    }

    /// Ends the thread once its jobs are done. What is still watched then is forgotten.
    func stop() {
        state.withLock { $0.stopping = true }
        wakeUp()
    }

    private func wakeUp() {
        // A full pipe is as good as a written one: the thread wakes.
        _ = write(wake.write, [1], 1)
    }

    private func run() {
        while true {
            let (jobs, watches, stopping) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.watches, state.stopping)
            }
            guard jobs.isEmpty else {
                for job in jobs { job() }
                continue
            }
            if stopping { break }
            wait(for: watches)
        }
        close(wake.read)
        close(wake.write)
    }

    private func wait(for watches: [Int32: Watch]) {
        var entries = [pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0)]
        entries += watches.map { pollfd(fd: $0.key, events: $0.value.events, revents: 0) }
        guard poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
        if entries[0].revents != 0 {
            var buffer = [UInt8](repeating: 0, count: 256)
            while read(wake.read, &buffer, buffer.count) > 0 {}
        }
        for entry in entries.dropFirst() where entry.revents != 0 {
            guard let watch = watches[entry.fd], isCurrent(watch, entry.fd) else { continue }
            if watch.handler(entry.revents) == .done { forget(watch, entry.fd) }
        }
    }

    private func isCurrent(_ watch: Watch, _ descriptor: Int32) -> Bool {
        state.withLock { $0.watches[descriptor]?.token == watch.token }
    }

    private func forget(_ watch: Watch, _ descriptor: Int32) {
        state.withLock { state in
            // The number may belong to a new watch already, when the handler closed the descriptor.
            if state.watches[descriptor]?.token == watch.token { state.watches[descriptor] = nil }
        }
    }
}
