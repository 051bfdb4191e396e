import CLinux
import Glibc

/// Tells one of our programs that the process that started it has gone.
package enum ParentWatch {
    /// Calls `onGone` once, on a thread of its own, when the parent has ended; does nothing when no parent said that
    /// it wants to be watched.
    ///
    /// - Returns: whether there is a parent to watch.
    @discardableResult
    package static func start(
        environment: [String: String], onGone: @escaping @Sendable () -> Void
    ) -> Bool {
        guard let text = environment[ParentPipe.variable], let descriptor = Int32(text), descriptor > 2 else {
            return false
        }
        var status = stat()
        // The variable may have been handed on by a program that closed the descriptor; what has its number now is
        // not ours to read.
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        PollThread.shared.watch(descriptor, for: POLLIN) { events in
            guard events & Int16(POLLHUP | POLLERR) != 0 else { return .again }
            onGone()
            return .done
        }
        return true
    }
}
