package import Platform
import Synchronization

/// What a simulated app comes to: which boundaries it has passed, and the one where it is to stop for good.
package final class BoundaryWatch: Sendable {
    private struct State {
        var passed: [Boundary] = []
        var deathbed: Deathbed?
    }

    private let state = Mutex(State())

    package init() {}

    /// The boundaries that were passed, in order.
    package var passed: [Boundary] { state.withLock(\.passed) }

    /// Stops whoever comes to `boundary` next.
    package func arm(_ boundary: Boundary) -> Deathbed {
        let deathbed = Deathbed(boundary)
        state.withLock { $0.deathbed = deathbed }
        return deathbed
    }

    func disarm() { state.withLock { $0.deathbed = nil } }

    /// What a process is to do at its boundaries.
    package var hook: BoundaryHook {
        { [self] here in
            let deathbed = state.withLock { state in
                state.passed.append(here)
                return state.deathbed
            }
            await deathbed?.comes(to: here)
        }
    }
}

/// Where a process stops for good, the first time that it comes there.
package final class Deathbed: Sendable {
    /// Brings the news that somebody has come.
    package let reached = Promise<Void>()
    private let boundary: Boundary

    init(_ boundary: Boundary) { self.boundary = boundary }

    func comes(to here: Boundary) async {
        guard here == boundary, reached.fulfil() else { return }
        // Nothing comes; the end of the process ends the wait.
        try? await Promise<Void>().value()
    }
}
