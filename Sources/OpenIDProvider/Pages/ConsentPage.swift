import HTML
import JOSE
import OpenIDConnect
import Platform

/// Asks whether a client may use the account.
struct ConsentPage: Sendable {
    let context: ProviderContext
    let client: RegisteredClient
    let interaction: Interaction
    let user: RegisteredUser
    let consent: ConsentRecord

    func response() -> HTTPResponse {
        let title = "Let \(client.displayName) use your account?"
        return PageFrame.response(title, returnsTo: interaction.request.redirectURI.text, context) {
            Markup.heading(title)
            Markup.asker(
                registeredName: client.displayName, identifier: client.id.text,
                keyFingerprint: consent.keyThumbprint?.display)
            Markup.paragraph("As \(Markup.strong(user.label)), it would be able to")
            Markup.scopes(ScopeWords.lines(for: consent.scope))
            Form(
                action: Endpoint.consent.path,
                hidden: [("interaction", interaction.id), ("token", interaction.token)]
            ) {
                Markup.actions([
                    Action("Allow", value: "allow"), Action("Choose another account", value: "other", .plain),
                    Action("Do not allow", value: "deny", .quiet),
                ])
            }.markup
            Markup.footer(
                "This takes it back: <code>countersign-idp apps remove \(Markup.foreign(client.id.text))</code>")
        }
    }
}
