import Synchronization

/// Holds a store's writer inside a body until it is opened.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    private let isReached = Atomic<Bool>(false)

    /// Called in a body: waits, for ten seconds at most.
    func pass() {
        isReached.store(true, ordering: .releasing)
        let deadline = ContinuousClock.now + .seconds(10)
        while !isOpen.load(ordering: .acquiring), ContinuousClock.now < deadline {}
    }

    func reached() async {
        while !isReached.load(ordering: .acquiring) { await Task.yield() }
    }

    func open() { isOpen.store(true, ordering: .releasing) }
}
