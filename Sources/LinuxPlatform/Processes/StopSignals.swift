import Basics
import CLinux
import Glibc
import Platform
import Synchronization

/// Which signal asked the program to stop.
package enum StopSignal: Int32, Sendable {
    /// SIGINT: the person at the terminal (exit 130).
    case interrupted = 2
    /// SIGTERM: the service manager (exit 143).
    case terminated = 15
}

/// Turns SIGINT and SIGTERM into the cancellation of the program's one task.
///
/// The first signal cancels, and the program drains. A second SIGINT ends the process at once.
package enum StopSignals {
    private static let received = Mutex<StopSignal?>(nil)
    // The write end of the pipe that the signal handler writes to. A handler may only touch what is async-signal-safe:
    // one word that is set before the handler is installed, and write(2).
    nonisolated(unsafe) private static var pipeEnd: Int32 = -1

    /// The signal that asked the program to stop, if one did.
    package static var last: StopSignal? { received.withLock(\.self) }

    /// Runs `body` in a task and cancels it at the first stop signal. SIGPIPE is ignored: a reader that leaves is an
    /// error of the write, not the end of the process. When the program that started this one and wanted to be watched
    /// has gone, that counts as SIGTERM.
    package static func run(
        environment: [String: String], _ body: @escaping @Sendable () async -> Int32
    ) async -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        ParentWatch.start(environment: environment) { kill(getpid(), SIGTERM) }
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return await body() }
        pipeEnd = ends[1]
        let task = Task.detached(name: "program") { await body() }
        let readEnd = ends[0]
        DetachedThread.start {
            var byte: UInt8 = 0
            while read(readEnd, &byte, 1) == 1 {
                guard let signal = StopSignal(rawValue: Int32(byte)) else { continue }
                let isFirst = received.withLock { last in
                    defer { last = last ?? signal }
                    return last == nil
                }
                if isFirst {
                    task.cancel()
                } else if signal == .interrupted {
                    _exit(130)
                }
            }
        }
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(StopSignals.pipeEnd, &byte, 1)
            }
        }
        return await task.value
    }
}
