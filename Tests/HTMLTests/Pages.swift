import Glibc
import HTML
import Testing

/// The base64 SHA-256 that openssl gives for a text.
private func opensslHash(of text: String) throws -> String {
    var template = Array("/tmp/stylesheet-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    let pipe = try #require(popen("openssl dgst -sha256 -binary \(path) | openssl base64 -A", "r"))
    defer { pclose(pipe) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = fread(&buffer, 1, buffer.count, pipe)
    return String(decoding: buffer.prefix(count), as: UTF8.self)
}

private func policy(_ formActions: [String] = []) throws -> String {
    try #require(Page.securityHeaders(formActions: formActions).first { $0.name == "Content-Security-Policy" }).value
}

struct Pages {
    private let page = Page(title: "Let <Notes> in?") { Markup.heading("Let <Notes> in?") }

    @Test func `a page is one whole document with title, language and one main part`() {
        let html = page.render()
        #expect(html.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(html.contains("<title>Let &lt;Notes&gt; in?</title>"))
        #expect(html.contains("<main class=\"card\">\n<h1>Let &lt;Notes&gt; in?</h1>\n</main>"))
        #expect(html.hasSuffix("</html>\n"))
    }

    @Test func `a title and a language cannot end their elements`() {
        let html = Page(title: "</title><script>", language: "en\"><script>") { Markup.empty }.render()
        #expect(!html.contains("<script"))
    }

    @Test func `the style sheet's hash is that of the bytes in the page`() throws {
        let html = page.render()
        let start = try #require(html.firstRange(of: "<style>"))
        let end = try #require(html.firstRange(of: "</style>"))
        let hash = try opensslHash(of: String(html[start.upperBound..<end.lowerBound]))
        #expect(hash.count == 44)
        #expect(Stylesheet.standard.hash == hash)
        #expect(try policy().contains("style-src 'sha256-\(hash)'"))
    }

    @Test func `no page loads or runs anything`() {
        let html = page.render()
        for word in ["<script", "src=", "@import", "url(", "style=", "onclick"] { #expect(!html.contains(word)) }
    }

    @Test func `a page for the disk carries its policy itself`() {
        #expect(page.render(standalone: true).contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"))
        #expect(!page.render().contains("http-equiv"))
    }

    @Test func `the look has light and dark, focus, large targets and rest for those who ask`() {
        let css = Stylesheet.standard.text
        for rule in [
            "prefers-color-scheme: dark", ":focus-visible", "min-block-size: 2.75rem", "prefers-reduced-motion",
            "forced-colors",
        ] { #expect(css.contains(rule)) }
        for physical in ["margin-left", "margin-right", "padding-left", "padding-right", "text-align: left"] {
            #expect(!css.contains(physical))
        }
    }
}

struct SecurityHeaders {
    @Test func `nothing is loaded, framed or rebased, and nothing is kept`() throws {
        let headers = Page.securityHeaders()
        let policy = try policy().split(separator: "; ")
        for directive in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"] {
            #expect(policy.contains(Substring(directive)))
        }
        #expect(!policy.contains { $0.hasPrefix("script-src") })
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ] { #expect(headers.contains { $0.name == name && $0.value == value }) }
    }

    @Test(arguments: [
        ("notes://callback", "notes:"), ("com.example.notes:/oauth2/cb", "com.example.notes:"), ("NOTES:x", "notes:"),
        ("https://app.example/cb?x=1", "https://app.example"), ("https://App.Example:8443", "https://app.example:8443"),
        ("http://127.0.0.1:4711/cb", "http://127.0.0.1:4711"), ("http://localhost#x", "http://localhost"),
        ("http://[::1]:4711/cb", "http:"),
    ])
    func `a form may lead to the redirect of the app`(redirect: String, source: String) throws {
        #expect(try policy([redirect]).contains("form-action 'self' \(source);"))
    }

    @Test(arguments: [
        "", "notes", "//app.example", "https://", "https://a b/", "https://a;script-src *", "https://a.example;x",
        "https://*",
        "https://user@a.example/", "http://[::2]/", "javascript:alert(1)", "data:text/html,x", "x;script-src:y",
        " notes:x",
        "https:a", "https://a.example:123456/",
    ])
    func `what is no redirect of a known kind never gets into the policy`(text: String) throws {
        #expect(try policy([text]) == policy())
    }

    @Test func `what stands twice is said once`() throws {
        #expect(try policy(["notes:a", "notes:b"]).contains("form-action 'self' notes:;"))
    }

    @Test func `a page with a sheet of its own names both hashes`() {
        let page = Page(title: "Report", layout: .wide, stylesheets: [.standard, Stylesheet("p{}", sha256: "abc")]) {
            Markup.empty
        }
        #expect(
            page.securityHeaders().contains {
                $0.value.contains("'sha256-abc'")
            })
        #expect(page.render().contains("<style>p{}</style>"))
    }
}
