import CLinux
import Glibc

/// A thread that nobody joins, with every signal blocked.
enum DetachedThread {
    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread.
    static func start(_ body: @escaping @Sendable () -> Void) {
        var everything = sigset_t()
        var before = sigset_t()
        sigfillset(&everything)
        // A new thread inherits the mask of the one that makes it; set there, it holds from the first instruction.
        pthread_sigmask(SIG_SETMASK, &everything, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Body(body))
        let failed = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        // Without a thread the caller would wait for ever; the machine is out of the most basic means.
        precondition(failed == 0, "the system gives no more threads")
        pthread_detach(thread)
    }
}
