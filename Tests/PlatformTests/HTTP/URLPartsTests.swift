import Platform
import Testing

@Suite struct `A URL` {
    @Test func `splits into its parts, undecoded`() throws {
        let url = try #require(URLParts("HTTPS://IDP.example:8443/a%20b/c?x=%41&y=1?2#frag/ment?"))
        #expect(url.scheme == "https")
        #expect(url.host == "idp.example")
        #expect(url.port == 8443)
        #expect(url.origin == "https://idp.example:8443")
        #expect(url.path == "/a%20b/c")
        #expect(url.query == "x=%41&y=1?2")
        #expect(url.fragment == "frag/ment?")
    }

    @Test(
        arguments: [
            ("http://127.0.0.1", "http://127.0.0.1", "/", nil), ("http://a:80/x", "http://a", "/x", nil),
            ("https://a:443?", "https://a", "/", ""), ("http://a:443/", "http://a:443", "/", nil),
            ("http://[::1]:8080/p", "http://[::1]:8080", "/p", nil), ("http://[::1]", "http://[::1]", "/", nil),
            ("app+x.y-z://auth/v1/name?q", "app+x.y-z://auth", "/v1/name", "q"),
            ("http://a?x=/y", "http://a", "/", "x=/y"),
        ] as [(String, String, String, String?)])
    func `has an origin without its scheme's own port`(text: String, origin: String, path: String, query: String?)
        throws
    {
        let url = try #require(URLParts(text))
        #expect(url.origin == origin)
        #expect(url.path == path)
        #expect(url.query == query)
    }

    @Test(arguments: [
        "", "http", "http:", "http:/a", "http://", "http:///x", "//a/b", "/a", "1http://a", "+x://a", "ht tp://a",
        "http://a b/", "http://a/ü", "http://a/%", "http://a/%4", "http://a/%4g", "http://user@a/", "http://u:p@a/",
        "http://a:/", "http://a:0/", "http://a:65536/", "http://a:8a/", "http://a:-1/", "http://a:+80/",
        "http://a:b:1/",
        "http://[::1/", "http://::1/", "http://[a]/", "http://[]/", "http://[::1]x/", "http://a/[b]", "http://a/b#c#d",
        "http://a\\b/", "http://a/\u{0}", "http://a/\n", "http://a/<b>", "http://a/{b}", "http://a/b\"c",
        "http://a/b^c",
    ])
    func `that is not absolute, or not clean, is refused`(text: String) {
        #expect(URLParts(text) == nil)
    }
}
