import Synchronization

/// Carries the result of offloaded work back to the task that waits for it.
final class ResultBox<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func fill(_ work: () throws -> Value) {
        let outcome = Result { try work() }
        result.withLock { $0 = outcome }
    }

    func value() throws -> Value {
        // Empty only when the offloader returned without running the work, as it does while it shuts down.
        guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
        return try outcome.get()
    }
}
