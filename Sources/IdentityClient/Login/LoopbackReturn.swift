import Basics
import HTML
import OpenIDConnect
import Platform

/// What the browser meets when it returns to this app: one answer is taken, and a page says that it may be closed.
final class LoopbackReturn: HTTPHandler {
    private let appName: String
    private let promise = Promise<AuthorizationResponse>()

    init(appName: String) { self.appName = appName }

    /// Waits for the browser's return.
    func response() async throws -> AuthorizationResponse { try await promise.value() }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard request.path == "/callback", request.method == "GET" else {
            return page("There is nothing here", "This address only takes the return of a login.", status: 404)
        }
        do {
            let fields = try FormFields(parsing: request.query ?? "").pairs.map { ($0.name, $0.value) }
            let response = try AuthorizationResponse(fields: fields)
            guard promise.fulfil(response) else {
                return page("This login has ended", "Return to \(appName).", status: 409)
            }
            return page("You can return to \(appName)", "This page may be closed.", status: 200)
        } catch {
            return page("That is no answer to a login", "Return to \(appName), and start again.", status: 400)
        }
    }

    private func page(_ title: String, _ text: String, status: Int) -> HTTPResponse {
        let page = Page(title: title) {
            "<h1>\(title)</h1>"
            "<p class=\"lead\">\(text)</p>"
        }
        var headers = HTTPHeaders()
        for header in page.securityHeaders() { headers.add(header.name, header.value) }
        headers.add("Content-Type", "text/html; charset=utf-8")
        return HTTPResponse(status: status, headers: headers, body: Array(page.render().utf8))
    }
}
