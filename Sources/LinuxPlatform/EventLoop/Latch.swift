import Glibc

/// Lets threads wait for something that happens once.
// Unchecked: a POSIX semaphore is made for several threads, and its address does not change.
final class Latch: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets all who wait go on, now and later.
    func signal() { sem_post(semaphore) }

    /// Waits for the signal, and passes it on to the next who waits.
    func wait() {
        while sem_wait(semaphore) != 0 {}
        sem_post(semaphore)
    }
}
