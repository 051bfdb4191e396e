import HTML
import TestSupport
import Testing

struct Components {
    private let attack = "\"><script>"

    @Test func `no component lets a foreign text out of its place`() {
        let parts: [Markup] = [
            .brand(attack), .heading(attack), .lead("\(attack)"), .paragraph("\(attack)"), .strong(attack),
            .footer("\(attack)"), .scopes([attack]), .facts([(attack, Markup(text: attack))]),
            .notice(.warning, "\(attack)"), .notice(.problem, "\(attack)"), .notice(.success, "\(attack)"),
            .asker(registeredName: attack, identifier: attack, keyFingerprint: attack),
            .choices(
                [
                    Choice(attack, value: attack, explanation: attack, sign: attack),
                    Choice(attack, value: attack, unavailable: attack),
                ], name: attack), .actions([Action(attack, value: attack)], name: attack),
            Form(action: attack, hidden: [(attack, attack)]) { Markup(text: attack) }.markup,
            Field(attack, name: attack, autocomplete: attack, value: attack, problem: attack).markup,
            Field(attack, name: attack, kind: .code, value: attack).markup,
        ]
        for part in parts {
            #expect(!part.html.contains("<script"))
            #expect(!part.html.contains(attack))
        }
    }

    @Test func `the asker is shown by initial, registered name, id and key`() {
        #expect(
            Markup.asker(registeredName: "notes", identifier: "com.example.notes", keyFingerprint: "7f3a 91c0").html
                == "<div class=\"asker\"><span class=\"mark\" aria-hidden=\"true\">N</span>"
                + "<strong><bdi>notes</bdi></strong>"
                + "<small><bdi>com.example.notes</bdi> · key <code>7f3a 91c0</code></small></div>")
    }

    @Test func `an id that is the name as well is shown once`() {
        let id = "com.example.notes"
        let html = Markup.asker(registeredName: id, identifier: id).html
        #expect(html.contains("<strong><bdi>\(id)</bdi></strong>"))
        #expect(!html.contains("<small>"))
        let keyed = Markup.asker(registeredName: id, identifier: id, keyFingerprint: "7f3a 91c0").html
        #expect(keyed.contains("<small>key <code>7f3a 91c0</code></small>"))
        #expect(keyed.ranges(of: id).count == 1)
    }

    @Test(.rule("T46", "A194")) func `a choice that cannot be taken is shown with its reason and cannot be pressed`() {
        let html = Markup.choices([
            Choice("Bank", value: "bank", explanation: "One sign-in", unavailable: "Not installed", isFocused: true)
        ]).html
        #expect(html.contains(" disabled>"))
        #expect(html.contains("<small>Not installed</small>"))
        #expect(!html.contains("autofocus"))
        #expect(!html.contains("One sign-in"))
    }

    @Test func `a choice that can be taken sends its value under the name`() {
        let html = Markup.choices(
            [Choice("Countersign", value: "idp", explanation: "One sign-in", isFocused: true)], name: "flow"
        ).html
        #expect(html.contains("<button name=\"flow\" value=\"idp\" autofocus>"))
        #expect(html.contains("<small>One sign-in</small>"))
        #expect(!html.contains("disabled"))
    }

    @Test func `a password is never written into a page, a name is`() {
        #expect(!Field("Password", name: "password", kind: .password, value: "hunter2").markup.html.contains("hunter2"))
        #expect(Field("User name", name: "username", value: "alice").markup.html.contains("value=\"alice\""))
    }

    @Test func `a problem is tied to its input`() {
        let html = Field("Code", name: "code", kind: .code, problem: "Eight letters are wanted.").markup.html
        #expect(html.contains("aria-invalid=\"true\" aria-describedby=\"code-problem\""))
        #expect(html.contains("id=\"code-problem\">Eight letters are wanted."))
        #expect(!Field("Code", name: "code").markup.html.contains("aria-invalid"))
    }

    @Test func `a form is sent by POST with its hidden values, and the way out skips its fields`() {
        let form = Form(action: "/prompt/1", hidden: [("token", "t0k")]) {
            Field("User name", name: "username").markup
            Markup.actions([Action("Sign in", value: "in"), Action("Cancel", value: "cancel", .quiet)])
        }
        let html = form.markup.html
        #expect(html.hasPrefix("<form method=\"post\" action=\"/prompt/1\">"))
        #expect(html.contains("<input type=\"hidden\" name=\"token\" value=\"t0k\">"))
        #expect(html.contains("<button name=\"choice\" value=\"in\">Sign in</button>"))
        #expect(
            html.contains("<button name=\"choice\" value=\"cancel\" class=\"quiet\" formnovalidate>Cancel</button>"))
    }

    @Test func `a problem is read aloud at once`() {
        #expect(Markup.notice(.problem, "No.").html == "<div class=\"notice bad\" role=\"alert\">No.</div>")
    }
}

struct Contrast {
    /// The tokens of one theme.
    private func tokens(dark: Bool) throws -> [String: Double] {
        let css = Stylesheet.standard.text
        let split = try #require(css.firstRange(of: "@media (prefers-color-scheme: dark)"))
        let part = dark ? css[split.upperBound...] : css[..<split.lowerBound]
        var found: [String: Double] = [:]
        for match in part.matches(of: /--([a-z-]+): #([0-9a-f]{6})/) {
            found[String(match.1)] = luminance(try #require(UInt32(match.2, radix: 16)))
        }
        return found
    }

    /// The relative luminance of a colour (WCAG 2.2).
    private func luminance(_ colour: UInt32) -> Double {
        func linear(_ shift: UInt32) -> Double {
            let part = Double(colour >> shift & 255) / 255
            return part <= 0.04045 ? part / 12.92 : power((part + 0.055) / 1.055)
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }

    /// x to the power of 2.4, by Newton's method for the fifth root: x^2.4 = (x^12)^(1/5).
    private func power(_ value: Double) -> Double {
        let target = (0..<12).reduce(1) { product, _ in product * value }
        var root = 1.0
        for _ in 0..<200 { root -= (root * root * root * root * root - target) / (5 * root * root * root * root) }
        return root
    }

    @Test(arguments: [false, true])
    func `text can be read in light and dark`(dark: Bool) throws {
        let tokens = try tokens(dark: dark)
        for (text, ground) in [
            ("ink", "paper"), ("ink", "ground"), ("quiet", "paper"), ("quiet", "ground"), ("accent", "paper"),
            ("accent", "tint"), ("on-accent", "accent"), ("bad", "paper"), ("ink", "warn-tint"), ("ink", "bad-tint"),
        ] {
            let pair = [try #require(tokens[text]), try #require(tokens[ground])].sorted()
            #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, "\(text) on \(ground)")
        }
    }
}
