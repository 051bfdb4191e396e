import Synchronization

/// A value that arrives once. Whoever waits can be cancelled without stopping what will bring it.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var outcome: Result<Value, any Error>?
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// The outcome, where it is there already.
    package var outcome: Result<Value, any Error>? { state.withLock(\.outcome) }

    /// Brings the outcome. The first one counts; says whether this was it.
    @discardableResult
    package func settle(_ outcome: Result<Value, any Error>) -> Bool {
        let waiters: [CheckedContinuation<Value, any Error>]? = state.withLock { state in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiters = [:] }
            return state.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        guard let waiters else { return false }
        for waiter in waiters { waiter.resume(with: outcome) }
        return true
    }

    /// Brings the value. The first one counts; says whether this was it.
    @discardableResult
    package func fulfil(_ value: Value) -> Bool { settle(.success(value)) }

    /// Waits for the outcome; throws `CancellationError` when the waiting task is cancelled before.
    package func value() async throws -> Value {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<Value, any Error>? = state.withLock { state in
                    if let outcome = state.outcome { return outcome }
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    state.waiters[number] = continuation
                    return nil
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
                if let waiter = state.waiters.removeValue(forKey: number) { return waiter }
                // The cancellation came before the wait began, or after the outcome; only the first is looked at.
                if state.outcome == nil { state.cancelled.insert(number) }
                return nil
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}

extension Promise where Value == Void {
    /// Brings the news. The first one counts; says whether this was it.
    @discardableResult
    package func fulfil() -> Bool { settle(.success(())) }
}
