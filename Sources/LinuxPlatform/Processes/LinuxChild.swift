import CLinux
import Glibc
import Platform
import Synchronization

/// A child process that was started here. Its pipes and its end are watched on `PollThread.shared`.
final class LinuxChild: RunningChild {
    let processID: Int32
    let outputLines: AsyncStream<String>
    let errorLines: AsyncStream<String>

    private struct State {
        /// Stands for the process until its exit has been collected.
        var process: Int32?
        var exit: ChildExit?
        var waiters: [CheckedContinuation<ChildExit, Never>] = []
    }

    private let state: Mutex<State>
    private let input: ChildInput?

    init(processID: Int32, pipes: ChildPipes) {
        self.processID = processID
        outputLines = LineReader.lines(of: pipes.output.read, on: .shared)
        errorLines = LineReader.lines(of: pipes.error.read, on: .shared)
        input = pipes.input.map { ChildInput(descriptor: $0.write, thread: .shared) }
        let process = pidfd_open(processID, 0)
        state = Mutex(State(process: process < 0 ? nil : process))
        if process >= 0 {
            PollThread.shared.watch(process, for: POLLIN) { [self] _ in
                collect(options: WNOHANG)
                return .done
            }
        } else {
            // No descriptors left, or a kernel without them: a thread that waits does as well.
            DetachedThread.start { [self] in collect(options: 0) }
        }
    }

    func write(_ bytes: [UInt8]) async throws {
        guard let input else { throw ChildInput.closed }
        try await input.write(bytes)
    }

    func closeInput() async { await input?.close() }

    /// Queues input without waiting for it to be taken.
    func enqueueInput(_ bytes: [UInt8]) { input?.enqueue(bytes) }

    /// Ends the input after what is queued.
    func endInput() { input?.end() }

    func signal(_ number: Int32) {
        state.withLock { state in
            guard state.exit == nil else { return }
            if let process = state.process {
                _ = countersign_signal_process(process, number)
            } else {
                // Still uncollected, so its number cannot belong to another process.
                kill(processID, number)
            }
        }
    }

    func exit() async -> ChildExit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state -> ChildExit? in
                if state.exit == nil { state.waiters.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    private func collect(options: Int32) {
        var status: Int32 = 0
        if options == 0 {
            // Waits without collecting, so that `signal` stays true until the lock is held.
            var information = siginfo_t()
            while waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT) != 0, countersign_errno() == EINTR {}
        }
        let (exit, waiters) = state.withLock { state in
            let collected = waitpid(processID, &status, WNOHANG)
            let exit = collected == processID ? ChildExit(waitStatus: status) : .exited(-1)
            if let process = state.process { close(process) }
            defer { state.waiters = [] }
            state.process = nil
            state.exit = exit
            return (exit, state.waiters)
        }
        for waiter in waiters { waiter.resume(returning: exit) }
    }
}

extension ChildExit {
    /// Reads a status of waitpid(2).
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}
