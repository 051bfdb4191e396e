import Basics
import OpenIDConnect
import TestSupport
import Testing

struct RedirectURITests {
    @Test(
        .rule("A013", "A019", "A020"),
        arguments: [
            ("https://app.example.com/done", RedirectURI.Kind.https), ("https://localhost/done", .https),
            ("https://app.example.com/done?k=1", .https), ("http://localhost/done", .loopback),
            ("http://127.0.0.1:51004/done", .loopback), ("http://[::1]:51004", .loopback),
            ("com.example.app://oauth/done", .privateScheme), ("com.example.app:/done", .privateScheme),
            ("com.example.app:///done", .privateScheme), ("com.Example.App://cb", .privateScheme),
            ("spapp://cb", .privateScheme),
        ])
    func `a redirect URI is https, http to this machine, or an app's scheme`(
        text: String, kind: RedirectURI.Kind
    ) throws {
        let uri = try RedirectURI(text)
        #expect(uri.kind == kind)
        #expect(uri.text == text)
    }

    @Test(
        .rule("A017", "A019", "A024"),
        arguments: [
            "", "/done", "app.example.com/done", "://x", "1app://x", "https://", "https:/done",
            "http://app.example.com/done",
            "http://127.0.0.1.example.com/", "http://0.0.0.0/", "http://LOCALHOST/", "app://cb#", "app://cb#x",
            "https://app.example.com/#x", "https://alice@app.example.com/", "http://localhost@evil.example/",
            "https://app.example.com:0/", "app://cb/%z1", "app://c b", "app://cb\n", "app://cb\\x", "app://cb/ü",
            "app:",
            "app://", "app://cb?[x]", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
            "file:///etc/passwd", "about:blank", "mailto:alice@example.com", "intent://x", "ws://x/", "blob:x",
        ])
    func `anything else is refused at registration as at login`(text: String) {
        #expect(throws: Fault(.invalidRedirectURI)) { try RedirectURI(text) }
    }

    @Test(
        .rule("S22", "A011", "A013", "A014", "A015", "A016", "A018", "A020"),
        arguments: [
            // Registered, sent, and whether it is the same.
            ("https://app.example.com/cb", "https://app.example.com/cb", true),
            ("https://app.example.com/cb", "https://app.example.com/cb/", false),
            ("https://app.example.com/cb", "https://app.example.com/CB", false),
            ("https://app.example.com/cb", "https://APP.example.com/cb", false),
            ("https://app.example.com/cb", "https://app.example.com:443/cb", false),
            ("https://app.example.com/cb", "https://app.example.com/cb?x=1", false),
            ("https://app.example.com/cb?x=1", "https://app.example.com/cb?x=1", true),
            ("https://app.example.com/cb?x=1", "https://app.example.com/cb?x=1&y=2", false),
            ("https://app.example.com/cb", "https://app.example.com/a/../cb", false),
            ("https://app.example.com/cb", "https://app.example.com/%63b", false),
            ("https://app.example.com/cb", "https://app.example.com.evil.example/cb", false),
            ("https://localhost:1/cb", "https://localhost:2/cb", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:51004/cb", true),
            ("http://127.0.0.1:80/cb", "http://127.0.0.1/cb", true),
            ("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true),
            ("http://127.0.0.1/cb", "http://127.0.0.1:51004/other", false),
            ("http://127.0.0.1/cb", "http://127.0.0.1:51004/cb?x=1", false),
            ("http://127.0.0.1/cb?x=1", "http://127.0.0.1:51004/cb?x=1", true),
            ("http://127.0.0.1/cb", "http://localhost:51004/cb", false),
            ("http://localhost/cb", "http://localhost:51004/cb", true),
            ("http://[::1]/cb", "http://[::1]:51004/cb", true),
            ("http://[::1]/cb", "http://127.0.0.1:51004/cb", false),
            ("http://127.0.0.1/cb", "https://127.0.0.1/cb", false),
            ("http://127.0.0.1/cb", "HTTP://127.0.0.1:5/cb", false),
            ("app:/cb", "app:/cb", true), ("app:/cb", "app://cb", false), ("app:/cb", "app:///cb", false),
            ("app://cb", "app:///cb", false), ("app://cb", "app://cb/", false), ("app://cb", "app2://cb", false),
            ("app://cb:1/x", "app://cb:2/x", false),
            ("com.Example.App://cb", "com.Example.App://cb", true),
            ("com.Example.App://cb", "com.example.app://cb", false),
        ])
    func `the one comparison is exact, but for the port of a loopback address`(
        registered: String, sent: String, isSame: Bool
    ) throws {
        #expect(try RedirectURI(sent).matches(registered: RedirectURI(registered)) == isSame)
    }

    @Test(
        .rule("A021", "A022"),
        arguments: [
            ("app://cb", "app://cb?code=a%26b&state=x%20y"),
            ("app://cb?next=%2Fhome", "app://cb?next=%2Fhome&code=a%26b&state=x%20y"),
            ("app://cb?", "app://cb?code=a%26b&state=x%20y"), ("x://test", "x://test?code=a%26b&state=x%20y"),
            ("com.example.app:/done", "com.example.app:/done?code=a%26b&state=x%20y"),
        ])
    func `response fields go behind the query that is there`(text: String, result: String) throws {
        #expect(try RedirectURI(text).adding(query: [("code", "a&b"), ("state", "x y")]) == result)
    }

    @Test func `a URI without response fields stays as it is`() throws {
        #expect(try RedirectURI("app://cb").adding(query: []) == "app://cb")
    }

    @Test(.rule("A012")) func `a scheme is the same whatever its case`() throws {
        #expect(try RedirectURI("com.Example.App://cb").scheme == "com.example.app")
    }

    @Test(.rule("A017")) func `a scheme of one word is taken and said to be one`() throws {
        #expect(try RedirectURI("spapp://cb").hasOneWordScheme)
        #expect(try !RedirectURI("com.example.app://cb").hasOneWordScheme)
        #expect(try !RedirectURI("https://app.example.com").hasOneWordScheme)
    }
}
