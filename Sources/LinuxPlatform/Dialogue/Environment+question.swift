import Basics
import Platform

extension Environment {
    /// Runs `work`, and gives up when the question's deadline has passed.
    func untilDeadline<Result: Sendable>(
        of question: Question, _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let rest = question.deadline - now()
        guard rest > .zero else { throw Fault(.deadlinePassed) }
        return try await withDeadline(rest, orThrow: Fault(.deadlinePassed), work)
    }
}
