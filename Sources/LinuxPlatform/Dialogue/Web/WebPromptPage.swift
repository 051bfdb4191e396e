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
            sentences(beforeItems)
            items.isEmpty ? nil : Markup.scopes(items.map { String($0.dropFirst(WebPromptPage.bullet.count)) })
            sentences(question.lines.dropFirst(beforeItems.count + items.count))
            form
            Markup.footer("\(footer)")
        }
    }

    private var asker: Markup? {
        question.asker.map {
            Markup.asker(registeredName: $0.name, identifier: $0.id, keyFingerprint: $0.keyFingerprint)
        }
    }

    // MARK: The sentences

    private static let bullet = "· "

    private func sentences(_ lines: ArraySlice<String>) -> [Markup] { lines.map { Markup.paragraph("\($0)") } }

    private var beforeItems: ArraySlice<String> {
        question.lines.prefix { !$0.hasPrefix(WebPromptPage.bullet) }
    }

    /// The lines that a terminal shows with a bullet are a list here.
    private var items: ArraySlice<String> {
        question.lines.dropFirst(beforeItems.count).prefix { $0.hasPrefix(WebPromptPage.bullet) }
    }

    // MARK: The form

    private var form: Markup {
        Form(action: path, hidden: [(name: "form_token", value: formToken)]) {
            question.fields.enumerated().map { index, field in input(field, isFirst: index == 0) }
            isList ? list : buttons
            hasOwnNo ? nil : Markup.actions([Action("Cancel", value: "yes", .quiet)], name: "cancel")
        }.markup
    }

    /// Where "no" is among the choices, a second way out beside it would only puzzle.
    private var hasOwnNo: Bool { question.choices.contains(where: isNo) }

    private func isNo(_ choice: Question.Choice) -> Bool { choice.id == "deny" && choice.disabledReason == nil }

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
                    choice.title, value: choice.id, explanation: choice.subtitle, sign: sign(choice),
                    unavailable: choice.disabledReason, isFocused: index == 0)
            })
    }

    /// The browser has no name whose first letter would say anything.
    private func sign(_ choice: Question.Choice) -> String? {
        question.kind == .loginFlowSelection && choice.id == "local" ? "↗" : nil
    }

    private var buttons: Markup {
        let possible = question.choices.filter { $0.disabledReason == nil }
        return Markup.actions(
            possible.enumerated().map { index, choice in
                Action(choice.title, value: choice.id, isNo(choice) ? .quiet : index == 0 ? .primary : .plain)
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
        question.asker.map { "Asked for by \($0.id). \(remaining)" } ?? remaining
    }
}
