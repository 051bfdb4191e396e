import CLinux
import Glibc

/// A count that threads wait for; only for our own threads, never for a task.
///
/// `@unchecked Sendable`: a `sem_t` is made to be used by several threads at once, and it is freed only when nobody
/// holds this object any more.
final class Semaphore: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Adds one.
    func signal() { sem_post(semaphore) }

    /// Waits until the count is above zero and takes one.
    func wait() {
        while sem_wait(semaphore) != 0 && countersign_errno() == EINTR {}
    }
}
