package import Basics
package import Platform

extension Question {
    /// The question as it may be shown: every text cleaned. Ids and field names stay: they come back as they went.
    var shown: Question {
        var question = self
        question.title = DisplayText.clean(title)
        question.lines = lines.map { DisplayText.clean($0) }
        question.problem = problem.map { DisplayText.clean($0) }
        question.asker = asker.map { asker in
            Asker(
                name: DisplayText.clean(asker.name, limit: 100), id: DisplayText.clean(asker.id, limit: 200),
                keyFingerprint: DisplayText.clean(asker.keyFingerprint, limit: 100),
                unverifiedName: asker.unverifiedName.map { DisplayText.clean($0, limit: 100) })
        }
        question.fields = fields.map { field in
            Field(
                field.name, DisplayText.clean(field.label, limit: 100), isSecret: field.isSecret,
                value: field.isSecret ? "" : DisplayText.clean(field.value))
        }
        question.choices = choices.map { choice in
            Choice(
                choice.id, DisplayText.clean(choice.title), subtitle: choice.subtitle.map { DisplayText.clean($0) },
                disabledReason: choice.disabledReason.map { DisplayText.clean($0) })
        }
        return question
    }

    /// The sentence about a name that the asker gives itself.
    var unverifiedNameRemark: String? {
        asker?.unverifiedName.map { "It calls itself “\($0)”. That name is not verified." }
    }

    /// How long the answer still counts, in words.
    func remainingWords(at now: Timestamp) -> String {
        let seconds = max(0, (deadline - now).wholeMicroseconds / 1_000_000)
        return seconds >= 120 ? "This request ends in \(seconds / 60) min." : "This request ends in \(seconds) s."
    }

    /// The answer, where it takes a choice that can be taken and has exactly the fields that were asked for.
    ///
    /// - Throws: `prompt-answer-refused`.
    package func checked(choice id: String, fields typed: [String: String]) throws(Fault) -> Answer {
        guard let choice = choices.first(where: { $0.id == id }) else { throw Fault(.promptAnswerRefused) }
        if let reason = choice.disabledReason {
            throw Fault(.promptAnswerRefused, "That choice cannot be taken now: \(reason)")
        }
        var answers: [String: Secret<String>] = [:]
        for field in fields {
            guard let value = typed[field.name] ?? (field.isSecret ? nil : field.value) else {
                throw Fault(.promptAnswerRefused, "The answer lacks the field \(field.name).")
            }
            answers[field.name] = Secret(value)
        }
        guard typed.keys.allSatisfy({ answers[$0] != nil }) else {
            throw Fault(.promptAnswerRefused, "The answer has a field that was not asked for.")
        }
        return Answer(id, fields: answers)
    }
}
