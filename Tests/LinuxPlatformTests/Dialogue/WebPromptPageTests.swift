import HTML
import Platform
import Testing

@testable import LinuxPlatform

@Suite struct WebPromptPageTests {
    private func page(of question: Question) -> String {
        WebPromptPage(
            question: question.shown, path: "/path", formToken: "token", problem: nil, remaining: "This request ends."
        ).page.render()
    }

    @Test func `lines with a bullet are a list, and the sentences around them stay where they are`() throws {
        var question = Question.consent()
        question.lines = ["It would be able to:", "· know <b>you</b>", "· see your name", "It came by an address."]
        let html = page(of: question)
        let list = "<ul class=\"scopes\"><li>know &lt;b&gt;you&lt;/b&gt;</li><li>see your name</li></ul>"
        let before = try #require(html.firstRange(of: "<p>It would be able to:</p>"))
        let items = try #require(html.firstRange(of: list))
        let after = try #require(html.firstRange(of: "<p>It came by an address.</p>"))
        #expect(before.upperBound <= items.lowerBound && items.upperBound <= after.lowerBound)
        #expect(!page(of: .consent()).contains("class=\"scopes\""))
    }

    @Test func `the way out is the no of the question, or a cancel button where it has none`() {
        let cancel = "name=\"cancel\""
        var question = Question.consent()
        question.choices = [.init("allow", "Allow"), .init("deny", "Do not allow")]
        let html = page(of: question)
        #expect(!html.contains(cancel))
        #expect(html.contains("<button name=\"choice\" value=\"deny\" class=\"quiet\" formnovalidate>Do not allow"))
        question.choices[1].disabledReason = "not now"
        #expect(page(of: question).contains(cancel))
        question.choices.removeLast()
        #expect(page(of: question).contains(cancel))
    }
}
