import Basics
import OpenIDConnect
import OpenIDProvider
import Platform

/// A browser with one cookie jar, which keeps the last page it saw.
final class Browser {
    let world: World
    private(set) var cookies: [String: String] = [:]
    private(set) var page = Reply(http: HTTPResponse(status: 0))

    init(_ world: World) { self.world = world }

    /// Takes over another browser's page, but not its cookies: a page that was sent to somebody else.
    func steal(_ other: Browser) { page = other.page }

    private var cookieHeader: HTTPHeaders {
        guard !cookies.isEmpty else { return [:] }
        return ["Cookie": cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")]
    }

    private func keep(_ reply: Reply) -> Reply {
        for header in reply.http.headers.values("Set-Cookie") {
            let halves = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if halves.count == 2 { cookies[String(halves[0])] = String(halves[1]) }
        }
        page = reply
        return reply
    }

    /// Goes to the authorization endpoint.
    @discardableResult
    func authorize(_ fields: [(String, String)]) async -> Reply {
        keep(await world.get("/authorize", query: fields, headers: cookieHeader))
    }

    /// Sends the form of the page at hand, with one button.
    @discardableResult
    func press(_ choice: String, at endpoint: Endpoint, _ fields: [(String, String)] = []) async -> Reply {
        let hidden = ["interaction", "token"].compactMap { name in self.hidden(name).map { (name, $0) } }
        return await send(hidden + [("choice", choice)] + fields, to: endpoint)
    }

    /// Sends a form as it is given.
    @discardableResult
    func send(_ fields: [(String, String)], to endpoint: Endpoint) async -> Reply {
        keep(await world.post(endpoint, fields, headers: cookieHeader))
    }

    @discardableResult
    func signIn(_ username: String = "alice", _ password: String = World.password) async -> Reply {
        await press("sign-in", at: .signIn, [("username", username), ("password", password)])
    }

    /// The value of a hidden field of the page at hand.
    func hidden(_ name: String) -> String? {
        let marker = "name=\"\(name)\" value=\""
        guard let start = page.text.firstRange(of: marker) else { return nil }
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    var showsSignIn: Bool { page.status == 200 && page.text.contains("name=\"password\"") }
    var showsConsent: Bool { page.status == 200 && page.text.contains("use your account?") }
}

extension World {
    /// The parameters of an authorization request.
    func request(
        of app: App, _ verifier: CodeVerifier, scope: String = "openid email", _ more: [(String, String)] = []
    ) -> [(String, String)] {
        let fields: [(String, String)] = [
            ("response_type", "code"), ("client_id", app.id.text), ("redirect_uri", app.redirectURI.text),
            ("scope", scope), ("state", "st-1"), ("nonce", "no-1"), ("code_challenge", verifier.challenge.text),
            ("code_challenge_method", "S256"),
        ]
        return fields.filter { field in !more.contains { $0.0 == field.0 } } + more.filter { !$0.1.isEmpty }
    }

    /// A code through the browser: sign-in and consent.
    func browserCode(
        for app: App, _ verifier: CodeVerifier, scope: String = "openid email", _ more: [(String, String)] = []
    ) async throws -> String {
        let browser = Browser(self)
        await browser.authorize(request(of: app, verifier, scope: scope, more))
        await browser.signIn()
        let answer = await browser.press("allow", at: .consent)
        guard let code = answer.redirectFields.single("code") else {
            throw MissingMember(name: "code", answer: answer.location ?? answer.text)
        }
        return code
    }

    /// The tokens of the plain public client: bearer tokens.
    func bearerTokens(scope: String = "openid email offline_access") async throws -> Reply {
        let verifier = verifier()
        return try await redeem(
            try await browserCode(for: desk, verifier, scope: scope), of: desk, verifier, key: nil)
    }
}
