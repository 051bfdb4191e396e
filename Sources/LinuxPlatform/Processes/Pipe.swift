import CLinux
import Glibc

/// Two ends of a pipe; neither is inherited by a program that is started.
struct Pipe: Sendable {
    let read: Int32
    let write: Int32

    /// A pipe whose ends have numbers above those that a child gets, or `nil` when the system has none left.
    static func make() -> Pipe? {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
        // A process may run with its standard descriptors closed; a pipe's end in their place would be overwritten in
        // the child before it is copied.
        guard let read = lifted(ends[0]) else {
            close(ends[1])
            return nil
        }
        guard let write = lifted(ends[1]) else {
            close(read)
            return nil
        }
        return Pipe(read: read, write: write)
    }

    private static func lifted(_ descriptor: Int32) -> Int32? {
        guard descriptor < 10 else { return descriptor }
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        close(descriptor)
        return copy < 0 ? nil : copy
    }

    /// Makes reading and writing return instead of waiting, at both ends.
    func makeNonBlocking() {
        Pipe.makeNonBlocking(read)
        Pipe.makeNonBlocking(write)
    }

    /// Makes reading and writing return instead of waiting. Only for ends that no other program shares.
    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Closes both ends.
    func closeBoth() {
        close(read)
        close(write)
    }
}
