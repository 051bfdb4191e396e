import Basics
import Glibc

/// Starts threads of our own, for work that blocks.
enum WorkerThread {
    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs `body` on a new thread, which ends when the body does.
    static func start(_ body: @escaping @Sendable () -> Void) throws(Fault) {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(body))
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw Fault(
                .internalFault, "The system allows no more threads.", next: "Raise the limit: ulimit -u",
                detail: "pthread_create: \(code)")
        }
        pthread_detach(thread)
    }
}
