package import Basics
package import Platform

/// A person at a browser, scripted: it opens the address, signs in on the provider's pages and allows what is asked,
/// with one cookie jar of its own.
package struct ScriptedBrowser: URLOpener {
    private let http: any HTTPClient
    private let environment: Environment
    private let username: String
    private let password: Secret<String>

    package init(http: any HTTPClient, environment: Environment, username: String, password: Secret<String>) {
        self.http = http
        self.environment = environment
        self.username = username
        self.password = password
    }

    package var isAvailable: Bool { true }

    /// Returns at once, as a browser does; the person goes on by themselves.
    package func open(_ url: String) async throws {
        environment.spawn("a person at a browser") { try await visit(url) }
    }

    private func visit(_ url: String) async throws {
        guard let start = URLParts(url) else { throw Fault(.noOpener, detail: "not an address") }
        var cookies: [String: String] = [:]
        var call = HTTPCall("GET", url)
        // Sign-in, consent, and the return to the app are three pages; a few more would be a loop.
        for _ in 0..<6 {
            call.headers.set("Accept", "text/html")
            let cookie = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
            if !cookie.isEmpty, URLParts(call.url)?.origin == start.origin { call.headers.set("Cookie", cookie) }
            let response = try await http.send(call)
            for header in response.headers.values("Set-Cookie") {
                let halves = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                if halves.count == 2 { cookies[String(halves[0])] = String(halves[1]) }
            }
            guard let next = next(after: response, at: start.origin) else { return }
            call = next
        }
    }

    /// What the person does with a page; nothing where there is nothing left to do.
    private func next(after response: HTTPResponse, at origin: String) -> HTTPCall? {
        if let location = response.headers.single("Location") {
            return HTTPCall("GET", location.hasPrefix("/") ? origin + location : location)
        }
        let page = String(decoding: response.body, as: UTF8.self)
        var fields = ["interaction", "token"].compactMap { name in hidden(name, in: page).map { (name, $0) } }
        guard !fields.isEmpty else { return nil }
        let isSignIn = page.contains("name=\"password\"")
        if isSignIn {
            fields += [("choice", "sign-in"), ("username", username), ("password", password.unmasked)]
        } else {
            fields += [("choice", "allow")]
        }
        var call = HTTPCall(
            "POST", origin + (isSignIn ? "/sign-in" : "/consent"), body: Array(FormFields(fields).encoded.utf8))
        call.headers.set("Content-Type", "application/x-www-form-urlencoded")
        return call
    }

    private func hidden(_ name: String, in page: String) -> String? {
        let marker = "name=\"\(name)\" value=\""
        guard let start = page.firstRange(of: marker) else { return nil }
        return String(page[start.upperBound...].prefix { $0 != "\"" })
    }
}
