import Basics
import HTML
import OpenIDConnect
import Platform

/// Asks for a user name and a password.
struct SignInPage: Sendable {
    let context: ProviderContext
    let client: RegisteredClient
    let interaction: Interaction
    /// What was typed last time.
    var username: String?
    /// What was wrong with it.
    var problem: String?

    func response(status: Int = 200) -> HTTPResponse {
        let (request, name) = (interaction.request, client.displayName)
        let typed = username ?? request.loginHint ?? ""
        let minutes = max(1, ((interaction.expires - context.now).components.seconds + 59) / 60)
        return PageFrame.response(
            "Sign in", status: status, returnsTo: request.redirectURI.text, context
        ) {
            Markup.heading("Sign in")
            Markup.lead("to continue to \(Markup.strong(name))")
            Form(
                action: Endpoint.signIn.path,
                hidden: [("interaction", interaction.id), ("token", interaction.token)]
            ) {
                if let problem { Markup.notice(.problem, Markup(text: problem)) }
                Field(
                    "User name", name: "username", autocomplete: "username", value: typed, isFocused: typed.isEmpty
                ).markup
                Field(
                    "Password", name: "password", kind: .password, autocomplete: "current-password",
                    isFocused: !typed.isEmpty
                ).markup
                Markup.actions([
                    Action("Sign in", value: "sign-in"),
                    Action("Cancel, and return to \(name)", value: "cancel", .quiet),
                ])
            }.markup
            Markup.footer("Asked for by \(Markup.foreign(client.id.text)) · this request ends in \(minutes) min")
        }
    }
}
