import HTML
import Testing

struct Escaping {
    private let attack = "<script>alert(1)</script> \" ' & onload=x"

    @Test func `a text that is interpolated is escaped, markup is not`() {
        let inner: Markup = "<b>\(attack)</b>"
        let outer: Markup = "<p>\(inner)\(attack)</p>"
        let escaped = "&lt;script&gt;alert(1)&lt;/script&gt; &quot; &#39; &amp; onload=x"
        #expect(outer.html == "<p><b>\(escaped)</b>\(escaped)</p>")
    }

    @Test func `a text cannot leave a quoted attribute`() {
        let single: Markup = "<a title='\(attack)'>"
        let double: Markup = "<a title=\"\(attack)\">"
        #expect(single.html.count { $0 == "'" } == 2)
        #expect(double.html.count { $0 == "\"" } == 2)
        #expect(!single.html.dropFirst(2).contains("<"))
    }

    @Test func `markup made of a text escapes it, and a literal is taken as it stands`() {
        #expect(Markup(text: "<b>").html == "&lt;b&gt;")
        #expect(("<b>" as Markup).html == "<b>")
    }

    @Test(arguments: ["\u{0}", "\u{8}", "\u{1B}", "\r", "\u{7F}", "\u{9B}"])
    func `control characters are replaced, line feeds and tabs stay`(control: String) {
        #expect(Markup(text: "a\(control)b\n\tc").html == "a\u{FFFD}b\n\tc")
    }

    @Test func `every other Unicode value stays as it is`() {
        let text = "é 😀 \u{2028} \u{10FFFF} \u{A0}"
        #expect(Markup(text: text).html == text)
    }

    @Test func `numbers, lists and what is absent are interpolated`() {
        let parts: [Markup] = ["<i>", "</i>"]
        let absent: Markup? = nil
        #expect(("\(4)\(parts)\(absent)" as Markup).html == "4<i></i>")
    }

    @Test func `a foreign text is kept from changing the order around it`() {
        #expect(Markup.foreign("a\u{202E}b<").html == "<bdi>a\u{202E}b&lt;</bdi>")
    }

    @Test(arguments: [
        "javascript:alert(1)", "JAVASCRIPT:alert(1)", " https://a.example", "data:text/html,x", "notes://x",
        "//a.example",
        "http://a.example/", "http://localhost.a.example/", "http://localhost@a.example/", "https:///x", "https://\\x",
        "",
    ])
    func `an address that is not of the web or this machine is shown and cannot be pressed`(address: String) {
        #expect(Markup.link("Terms <1>", to: address).html == "Terms &lt;1&gt;")
    }

    @Test(arguments: ["https://a.example/?a=1&b=2", "http://localhost:8443/x", "http://127.0.0.1", "http://[::1]:80/"])
    func `a web address becomes a link`(address: String) {
        let escapedAddress = address.replacing("&", with: "&amp;")
        #expect(Markup.link("Terms", to: address).html == "<a href=\"\(escapedAddress)\" rel=\"noreferrer\">Terms</a>")
    }

    @Test func `a builder takes pieces, conditions and loops`() {
        let built = Markup {
            "<a>" as Markup
            if attack.isEmpty { Markup(text: "no") } else { Markup(text: "<yes>") }
            for number in 1...3 { "\(number)" as Markup }
        }
        #expect(built.html == "<a>&lt;yes&gt;123")
    }
}
