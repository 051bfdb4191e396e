public import Basics

/// Answers questions ahead of time: for `--prompt script:…`, for tests and for the lab.
public struct ScriptedDialogue: Dialogue {
    private let choices: [String]
    private let fields: [String: Secret<String>]
    private let acceptsDefaults: Bool

    /// Makes a dialogue from the answers.
    ///
    /// - Parameters:
    ///   - choices: for each question the first of these that is the id or the title of a choice that can be taken, in
    ///     any case, is taken; `cancel` gives up. The list is not used up.
    ///   - fields: what is typed, by field name. A question whose fields are all here takes its default choice when no
    ///     other is scripted.
    ///   - acceptsDefaults: whether a question without a scripted choice takes its default choice.
    public init(choices: [String], fields: [String: Secret<String>] = [:], acceptsDefaults: Bool = false) {
        self.choices = choices
        self.fields = fields
        self.acceptsDefaults = acceptsDefaults
    }

    public func ask(_ question: Question) async throws -> Answer {
        await Task.yield()
        try Task.checkCancellation()
        if !question.fields.isEmpty, let problem = question.problem {
            // The script has one answer; asked again it would give the same one for ever.
            throw Fault(
                .interactionRequired, "The scripted answer to \(question.kind.rawValue) was refused: \(problem)")
        }
        return Answer(try choice(for: question), fields: try typed(for: question))
    }

    private func choice(for question: Question) throws -> String {
        for scripted in choices.map({ $0.lowercased() }) {
            if scripted == "cancel" { throw Cancellation(by: .user) }
            let match = question.choices.first { choice in
                choice.disabledReason == nil && [choice.id.lowercased(), choice.title.lowercased()].contains(scripted)
            }
            if let match { return match.id }
        }
        let isTyped = !question.fields.isEmpty && question.fields.allSatisfy { fields[$0.name] != nil }
        if acceptsDefaults || isTyped, let first = question.choices.first, first.disabledReason == nil {
            return first.id
        }
        let possible = question.choices.map { choice in
            choice.disabledReason.map { "\(choice.id) (not now: \($0))" } ?? choice.id
        }
        throw Fault(
            .interactionRequired,
            "No scripted answer fits the question \(question.kind.rawValue); possible: "
                + (possible + ["cancel"]).joined(separator: ", ") + ".")
    }

    private func typed(for question: Question) throws -> [String: Secret<String>] {
        var answers: [String: Secret<String>] = [:]
        for field in question.fields {
            if let scripted = fields[field.name] {
                answers[field.name] = scripted
            } else if field.isSecret {
                throw Fault(
                    .interactionRequired,
                    "The script has no value for the field \(field.name) of the question \(question.kind.rawValue).")
            } else {
                answers[field.name] = Secret(field.value)
            }
        }
        return answers
    }
}
