import Basics
import HTML
import JOSE
import Platform

/// The page of one question, and the answer that it brings.
///
/// The path is known to nobody but the one who opens it; the form carries a second token, so that a page of another
/// origin which has learnt the address still cannot answer. After the answer there is nothing here any more.
final class WebPrompt: HTTPHandler {
    let path: String
    let answer = Promise<Answer>()
    /// The port's origin, once it is open.
    let origin = Promise<String>()

    private let question: Question
    private let formToken: String
    private let environment: Environment

    init(question: Question, path: String, formToken: String, environment: Environment) {
        self.question = question
        self.path = path
        self.formToken = formToken
        self.environment = environment
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard constantTimeEqual(Array(request.path.utf8), Array(path.utf8)), request.query == nil,
            answer.outcome == nil
        else { return remark(404, "There is no question here", "It was answered, or it has ended.") }
        guard environment.now() < question.deadline else {
            return remark(404, "There is no question here", "It has ended without an answer.")
        }
        switch request.method {
        case "GET": return asksForJSON(request) ? json() : page(200, problem: nil)
        case "POST": return take(request)
        default:
            var response = remark(405, "Not possible", "This page is read and answered.")
            response.headers.add("Allow", "GET, POST")
            return response
        }
    }

    // MARK: The answer

    private func take(_ request: HTTPRequest) -> HTTPResponse {
        guard comesFromThisPage(request), let form = try? FormFields(parsing: request.body),
            form.repeatedNames.isEmpty, let token = form.single("form_token"), constantTimeEqual(token, formToken)
        else { return remark(403, "Not from this page", "Only the page of the question can answer it.") }
        if form.single("cancel") != nil {
            answer.settle(.failure(Cancellation(by: .user)))
            return remark(200, "Cancelled", "You can close this page.")
        }
        var typed: [String: String] = [:]
        for field in question.fields { typed[field.name] = form.single(WebPrompt.inputName(field)) }
        do {
            answer.fulfil(try question.checked(choice: form.single("choice") ?? "", fields: typed))
        } catch {
            return page(400, problem: error.text)
        }
        return remark(200, "Done", "You can close this page and go back to the app.")
    }

    /// Whether the browser, where it says it at all, says that the form was sent from here. Our pages send no
    /// referrer, and so browsers give `null` as their origin.
    private func comesFromThisPage(_ request: HTTPRequest) -> Bool {
        let kind = request.headers.single("Content-Type")?.lowercased() ?? ""
        guard kind.hasPrefix("application/x-www-form-urlencoded") else { return false }
        if let site = request.headers.single("Sec-Fetch-Site"), site != "same-origin" { return false }
        let sender = request.headers.values("Origin")
        return sender.isEmpty || sender == ["null"] || sender.first == (try? origin.outcome?.get()) && sender.count == 1
    }

    // MARK: Pages

    private func asksForJSON(_ request: HTTPRequest) -> Bool {
        request.headers.single("Accept")?.hasPrefix("application/json") ?? false
    }

    private func json() -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        for (name, value) in Page.securityHeaders() { headers.add(name, value) }
        var members = question.json.objectValue ?? [:]
        members["formToken"] = .string(formToken)
        return HTTPResponse(status: 200, headers: headers, body: JSONValue.object(members).serialized())
    }

    private func page(_ status: Int, problem: String?) -> HTTPResponse {
        response(
            status,
            WebPromptPage(
                question: question, path: path, formToken: formToken, problem: problem ?? question.problem,
                remaining: question.remainingWords(at: environment.now())
            ).page)
    }

    private func remark(_ status: Int, _ title: String, _ text: String) -> HTTPResponse {
        response(
            status,
            Page(title: title) {
                Markup.brand("Countersign on this machine")
                Markup.heading(title)
                Markup.lead("\(text)")
            })
    }

    private func response(_ status: Int, _ page: Page) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
        for (name, value) in page.securityHeaders() { headers.add(name, value) }
        return HTTPResponse(status: status, headers: headers, body: Array(page.render().utf8))
    }

    /// Fields of the question cannot take the names that the form itself uses.
    static func inputName(_ field: Question.Field) -> String { "field_" + field.name }
}
