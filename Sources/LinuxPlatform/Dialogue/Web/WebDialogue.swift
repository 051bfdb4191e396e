import Basics
import JOSE
package import Platform

/// Asks with a page on a loopback port that lives as long as the question.
package struct WebDialogue: Dialogue {
    private let listener: any LoopbackListener
    private let opener: any URLOpener
    private let environment: Environment
    private let tell: @Sendable (String) -> Void

    /// Makes a dialogue that asks in the browser.
    ///
    /// - Parameters:
    ///   - listener: opens the port.
    ///   - opener: opens the page; where it cannot, its address is told.
    ///   - tell: says something to the person, on standard error as a rule.
    package init(
        listener: any LoopbackListener, opener: any URLOpener, environment: Environment,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.listener = listener
        self.opener = opener
        self.environment = environment
        self.tell = tell
    }

    package func ask(_ question: Question) async throws -> Answer {
        let prompt = WebPrompt(
            question: question.shown, path: "/" + Base64URL.encode(environment.randomBytes(32)),
            formToken: Base64URL.encode(environment.randomBytes(32)), environment: environment)
        let port = try await listener.listen(prompt)
        let outcome: Result<Answer, any Error>
        do {
            prompt.origin.fulfil(port.origin)
            outcome = .success(
                try await environment.untilDeadline(of: question) {
                    await show(port.origin + prompt.path)
                    return try await prompt.answer.value()
                })
        } catch {
            outcome = .failure(error)
        }
        await port.close()
        return try outcome.get()
    }

    private func show(_ address: String) async {
        if opener.isAvailable, (try? await opener.open(address)) != nil {
            return tell("The question is in your browser. If no page opened, open this address: \(address)")
        }
        tell("Open this address to answer the question: \(address)")
    }
}
