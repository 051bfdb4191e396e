import Glibc

/// Sees tasks that are handed to Swift's own threads, and turns those away that a simulation's thread hands over.
///
/// `swift_task_enqueueGlobal_hook` is exported by the Swift 6.3 runtime, and not documented. Where it is missing
/// nothing is checked; without a simulation on the thread everything goes its usual way.
enum PlainTaskHook {
    // The runtime's own calling convention passes one or two pointers as C does, on x86-64 and on arm64.
    private typealias Enqueue = @convention(c) (_ job: UnsafeMutableRawPointer) -> Void
    private typealias Hook =
        @convention(c) (_ job: UnsafeMutableRawPointer, _ original: UnsafeMutableRawPointer) -> Void

    /// Whether the hook is in place; the first question puts it there.
    static let isInstalled: Bool = {
        guard let symbol = dlsym(nil, "swift_task_enqueueGlobal_hook") else { return false }
        let slot = symbol.assumingMemoryBound(to: Optional<Hook>.self)
        // Somebody else's hook stays, and nothing is checked.
        guard slot.pointee == nil else { return false }
        slot.pointee = { job, original in
            if let simulation = CurrentSimulation.value {
                // A job reference is one pointer, here as in the runtime.
                simulation.capture(unsafeBitCast(job, to: UnownedJob.self))
            } else {
                unsafeBitCast(original, to: Enqueue.self)(job)
            }
        }
        return true
    }()
}
