import HTML
import Platform

/// How a question looks as a page: one card, the asker by its registered name and key, and the way out always there.
struct WebPromptPage {
    let question: Question
    let path: String
    let formToken: String
    let problem: String?
    let remaining: String

    var page: Page {
        Page(title: question.title) {
            Markup.brand("Countersign on this machine")
            Markup.heading(question.title)
            asker
            question.unverifiedNameRemark.map { Markup.notice(.warning, "\($0)") }
            problem.map { Markup.notice(.problem, "\($0)") }
            question.lines.map { Markup.paragraph("\($0)") }
            form
            Markup.footer("\(footer)")
        }
    }

    private var asker: Markup? {
        question.asker.map {
            Markup.asker(registeredName: $0.name, identifier: $0.id, keyFingerprint: $0.keyFingerprint)
        }
    }

    private var form: Markup {
        Form(action: path, hidden: [(name: "form_token", value: formToken)]) {
            question.fields.enumerated().map { index, field in input(field, isFirst: index == 0) }
            isList ? list : buttons
            Markup.actions([Action("Cancel", value: "yes", .quiet)], name: "cancel")
        }.markup
    }

    /// Choices that need explaining, or of which there are many, are a list; a yes or no is buttons.
    private var isList: Bool {
        let needsWords = question.choices.contains { $0.subtitle != nil || $0.disabledReason != nil }
        let isSelection = question.kind == .loginFlowSelection || question.kind == .userSelection
        return question.fields.isEmpty && (needsWords || isSelection || question.choices.count > 3)
    }

    private var list: Markup {
        Markup.choices(
            question.choices.enumerated().map { index, choice in
                HTML.Choice(
                    choice.title, value: choice.id, explanation: choice.subtitle, unavailable: choice.disabledReason,
                    isFocused: index == 0)
            })
    }

    private var buttons: Markup {
        let possible = question.choices.filter { $0.disabledReason == nil }
        return Markup.actions(
            possible.enumerated().map { index, choice in
                Action(choice.title, value: choice.id, index == 0 ? .primary : .plain)
            })
    }

    private func input(_ field: Question.Field, isFirst: Bool) -> Markup {
        let autocomplete = field.isSecret ? "current-password" : field.name == "username" ? "username" : "off"
        return HTML.Field(
            field.label, name: WebPrompt.inputName(field), kind: field.isSecret ? .password : .text,
            autocomplete: autocomplete, value: field.value, isFocused: isFirst
        ).markup
    }

    private var footer: String {
        question.asker.map { "Asked for by \($0.id) · \(remaining)" } ?? remaining
    }
}
