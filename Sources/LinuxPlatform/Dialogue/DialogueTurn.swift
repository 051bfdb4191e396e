import Platform
import Synchronization

/// Lets one question at a time have the terminal. Who waits can be cancelled.
final class DialogueTurn: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [Promise<Void>] = []
    }

    private let state = Mutex(State())

    /// Runs `body` when those before have ended.
    func take<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        let place: Promise<Void>? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let place = Promise<Void>()
            state.waiting.append(place)
            return place
        }
        if let place { try await wait(at: place) }
        defer { passOn() }
        return try await body()
    }

    private func wait(at place: Promise<Void>) async throws {
        do {
            try await place.value()
        } catch {
            let wasWaiting = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0 === place }) else { return false }
                state.waiting.remove(at: index)
                return true
            }
            // The turn came in the moment of the cancellation: it belongs to the next.
            if !wasWaiting { passOn() }
            throw error
        }
    }

    private func passOn() {
        let next = state.withLock { state -> Promise<Void>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.fulfil()
    }
}
