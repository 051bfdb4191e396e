import Glibc

/// Which simulation runs on this thread. Tests run several at a time, each on a thread of its own.
enum CurrentSimulation {
    // Not a global behind a lock: every task that starts anywhere in the process asks here.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    static var value: Simulation? {
        guard let key, let pointer = pthread_getspecific(key) else { return nil }
        return Unmanaged<Simulation>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Makes `simulation` this thread's until `leave(to:)`; it must live that long. Returns what was there before.
    static func enter(_ simulation: Simulation) -> Simulation? {
        let outer = value
        if let key { pthread_setspecific(key, Unmanaged.passUnretained(simulation).toOpaque()) }
        return outer
    }

    static func leave(to outer: Simulation?) {
        if let key { pthread_setspecific(key, outer.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }
}
