/// The frame of a page: title, language, style, and one main part.
///
/// No scripts, nothing loaded from elsewhere.
package struct Page: Sendable {
    /// How the main part is laid out.
    package enum Layout: String, Sendable {
        /// One card in the middle: one question.
        case card
        /// The whole width: reports.
        case wide
    }

    /// The title, escaped when the page is rendered.
    package var title: String
    /// The language of the text, as in BCP 47.
    package var language: String
    package var layout: Layout
    package var stylesheets: [Stylesheet]
    package var content: Markup

    package init(
        title: String, language: String = "en", layout: Layout = .card, stylesheets: [Stylesheet] = [.standard],
        @MarkupBuilder content: () -> Markup
    ) {
        self.title = title
        self.language = language
        self.layout = layout
        self.stylesheets = stylesheets
        self.content = content()
    }

    /// The whole document.
    ///
    /// - Parameter standalone: for a file that is opened from disk, where no header can carry the policy: the document
    ///   then carries it itself.
    package func render(standalone: Bool = false) -> String {
        let policy: Markup? =
            standalone
            ? "<meta http-equiv=\"Content-Security-Policy\" content=\"\(ContentSecurityPolicy.standalone(stylesheets))\">\n"
            : nil
        let document: Markup = """
            <!doctype html>
            <html lang="\(language)">
            <head>
            <meta charset="utf-8">
            \(policy)<meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            \(stylesheets.map(\.element))
            </head>
            <body>
            <main class="\(layout.rawValue)">
            \(content)
            </main>
            </body>
            </html>

            """
        return document.html
    }

    /// The headers that go with every page.
    ///
    /// With `no-referrer`, browsers send `Origin: null` with a form's POST, also to this origin; so a form proves itself
    /// by its hidden token (`Form.hidden`), not by its origin.
    ///
    /// - Parameter formActions: where a form's answer may lead besides this origin: redirect URIs. Browsers apply
    ///   `form-action` to the redirect that follows a form as well, so the app's own scheme has to be named or the
    ///   person never gets back to the app. An address that is no URI of a kind known here is left out.
    package static func securityHeaders(
        formActions: [String] = [], stylesheets: [Stylesheet] = [.standard]
    ) -> [(name: String, value: String)] {
        [
            ("Content-Security-Policy", ContentSecurityPolicy.served(stylesheets, formActions: formActions)),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
        ]
    }

    /// The headers that go with this page.
    package func securityHeaders(formActions: [String] = []) -> [(name: String, value: String)] {
        Page.securityHeaders(formActions: formActions, stylesheets: stylesheets)
    }
}
