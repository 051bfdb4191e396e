import Basics

/// Asks nobody: every question ends with `interaction-required`.
public struct NoDialogue: Dialogue {
    public init() {}

    public func ask(_ question: Question) async throws -> Answer {
        throw Fault(
            .interactionRequired,
            "A person must answer the question \(question.kind.rawValue) (\(question.title)), and there is no way to "
                + "ask here.")
    }
}
