import Basics
import CLinux
import Glibc
import Synchronization

/// The writing end of a child's standard input: writes are queued and keep their order.
final class ChildInput: Sendable {
    private struct Write {
        var bytes: ArraySlice<UInt8>
        var done: (@Sendable (Fault?) -> Void)?
    }

    private struct State {
        var queue: [Write] = []
        var isEnding = false
        var isClosed = false
        var isWatched = false
    }

    private let state = Mutex(State())
    private let descriptor: Int32
    private let thread: PollThread

    static var closed: Fault { Fault(.childInputClosed) }

    init(descriptor: Int32, thread: PollThread) {
        self.descriptor = descriptor
        self.thread = thread
    }

    deinit {
        // Every watch holds this object, so nothing waits for the descriptor any more.
        if !state.withLock({ $0.isClosed }) { Glibc.close(descriptor) }
    }

    /// Returns when the pipe has taken all bytes.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            enqueue(bytes) { fault in
                if let fault { continuation.resume(throwing: fault) } else { continuation.resume() }
            }
        }
    }

    /// Ends the input after what is queued; returns when it has ended.
    func close() async {
        await withCheckedContinuation { continuation in
            enqueue([]) { _ in continuation.resume() }
            end()
        }
    }

    func enqueue(_ bytes: [UInt8], done: (@Sendable (Fault?) -> Void)? = nil) {
        let accepted = state.withLock { state in
            guard !state.isEnding, !state.isClosed else { return false }
            state.queue.append(Write(bytes: bytes[...], done: done))
            return true
        }
        guard accepted else {
            done?(ChildInput.closed)
            return
        }
        pump()
    }

    func end() {
        state.withLock { $0.isEnding = true }
        pump()
    }

    /// Lets the thread write: there a broken pipe is an error and not a signal.
    private func pump() {
        let start = state.withLock { state in
            guard !state.isClosed, !state.isWatched else { return false }
            state.isWatched = true
            return true
        }
        guard start else { return }
        thread.watch(descriptor, for: POLLOUT) { [self] _ in writeQueued() }
    }

    private func writeQueued() -> PollThread.Next {
        let outcome: Outcome = state.withLock { state in takeQueued(&state) }
        for write in outcome.finished { write.done?(outcome.fault) }
        return outcome.next
    }

    private struct Outcome {
        var finished: [Write] = []
        var fault: Fault?
        var next: PollThread.Next = .done
    }

    private func takeQueued(_ state: inout State) -> Outcome {
        var outcome = Outcome()
        while let first = state.queue.first {
            let count = first.bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let error = countersign_errno()
                if error == EAGAIN || error == EINTR {
                    outcome.next = .again
                    return outcome
                }
                // What was taken whole before this is told so by a fault as well: the reader has gone.
                outcome.finished += state.queue
                outcome.fault = ChildInput.closed
                state.queue = []
                shut(&state)
                return outcome
            }
            state.queue[0].bytes = first.bytes.dropFirst(count)
            if state.queue[0].bytes.isEmpty { outcome.finished.append(state.queue.removeFirst()) }
        }
        state.isWatched = false
        if state.isEnding { shut(&state) }
        return outcome
    }

    private func shut(_ state: inout State) {
        state.isClosed = true
        state.isWatched = false
        Glibc.close(descriptor)
    }
}
