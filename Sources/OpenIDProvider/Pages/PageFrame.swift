import HTML
import Platform

/// What all pages of the provider have in common.
enum PageFrame {
    /// A page as a response, with its security headers.
    ///
    /// - Parameter returnsTo: the redirect URI that the form's answer may lead to.
    static func response(
        _ title: String, status: Int = 200, returnsTo: String? = nil, _ context: ProviderContext,
        @MarkupBuilder content: () -> Markup
    ) -> HTTPResponse {
        let body = content()
        let page = Page(title: title) {
            Markup.brand(context.configuration.displayName)
            if context.configuration.isTest {
                Markup.notice(.warning, "This provider has test switches on. Use no real password here.")
            }
            body
        }
        var headers: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
        for (name, value) in page.securityHeaders(formActions: returnsTo.map { [$0] } ?? []) {
            headers.add(name, value)
        }
        return HTTPResponse(status: status, headers: headers, body: Array(page.render().utf8))
    }
}
