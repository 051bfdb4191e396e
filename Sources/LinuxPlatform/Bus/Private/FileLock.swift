import Basics
import CLinux
import Glibc
import Platform

/// An advisory lock on a file (flock(2)). It ends with the process that holds it, however that dies.
final class FileLock: Sendable {
    enum Mode {
        case shared
        case exclusive

        var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    private let descriptor: Int32
    private let path: String

    /// Opens the file, and makes it where it is missing; takes no lock.
    init(path: String) throws(Fault) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError.fault(countersign_errno(), "open", path) }
    }

    deinit { close(descriptor) }

    /// Takes the lock where nobody else's forbids it; says whether it did.
    func tryLock(_ mode: Mode) throws(Fault) -> Bool {
        while flock(descriptor, mode.operation | LOCK_NB) != 0 {
            switch countersign_errno() {
            case EWOULDBLOCK: return false
            case EINTR: continue
            case let error: throw SystemError.fault(error, "lock", path)
            }
        }
        return true
    }

    /// Takes the lock, without holding a thread meanwhile.
    ///
    /// - Throws: `bus-unavailable` when others keep it for longer than `patience`.
    func lock(_ mode: Mode, patience: Duration = .seconds(60)) async throws {
        let end = ContinuousClock.now + patience
        while try !tryLock(mode) {
            guard ContinuousClock.now < end else {
                throw Fault(
                    .busUnavailable, "Another program holds the lock of this home's bus: \(path)",
                    next: "Look for a countersign program that hangs, and end it.")
            }
            try await Task.sleep(for: .milliseconds(4))
        }
    }

    /// Takes the lock, and holds the thread until then.
    func waitForLock(_ mode: Mode) throws(Fault) {
        while flock(descriptor, mode.operation) != 0 {
            let error = countersign_errno()
            guard error == EINTR else { throw SystemError.fault(error, "lock", path) }
        }
    }

    func unlock() { flock(descriptor, LOCK_UN) }
}
