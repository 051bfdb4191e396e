import HTML
import OpenIDConnect
import Platform

/// The page behind the bare address.
enum HomePage {
    static func response(_ context: ProviderContext) -> HTTPResponse {
        let metadata = context.url(.openIDConfiguration)
        return PageFrame.response(context.configuration.displayName, context) {
            Markup.heading("This is an identity provider")
            Markup.lead("Apps on this machine send you here to sign in. There is nothing to do on this page itself.")
            Markup.facts([
                (name: "Issuer", value: Markup.foreign(context.issuer.text)),
                (name: "Metadata", value: Markup.link(metadata, to: metadata)),
            ])
        }
    }
}

/// What a person reads when a request cannot go on, and there is no address to send them back to.
enum RefusalPage {
    static func response(_ refusal: Refusal, _ context: ProviderContext) -> HTTPResponse {
        PageFrame.response("This cannot go on", status: refusal.effectiveStatus, context) {
            Markup.heading("This cannot go on")
            Markup.notice(.problem, Markup(text: refusal.error.description))
            Markup.paragraph("Nothing was signed in, and no app was told anything. You can close this page.")
            Markup.footer("Error \(refusal.error.code.rawValue)")
        }
    }
}
