package import Basics
import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualClock: Sendable {
    private struct State {
        var now: Timestamp
        var sleepers: [(due: Timestamp, promise: Promise<Void>)] = []
    }

    private let state: Mutex<State>

    /// Makes a clock that stands at `now`.
    package init(at now: Timestamp) { state = Mutex(State(now: now)) }

    /// The instant at which it stands.
    package var now: Timestamp { state.withLock(\.now) }

    /// Moves the clock, and wakes who has slept long enough, the earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.due <= state.now }.sorted { $0.due < $1.due }
            state.sleepers.removeAll { $0.due <= state.now }
            return due
        }
        for sleeper in due { sleeper.promise.fulfil() }
    }

    /// Waits until the clock has been moved that far; throws `CancellationError` when cancelled meanwhile.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return await Task.yield() }
        let promise = Promise<Void>()
        state.withLock { $0.sleepers.append((due: $0.now + duration, promise: promise)) }
        do {
            try await promise.value()
        } catch {
            state.withLock { $0.sleepers.removeAll { $0.promise === promise } }
            throw error
        }
    }
}
