import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import TestSupport
import Testing

@Suite struct PageTests {
    @Test func `the policy of a page with a form lets the redirect to the app's scheme through`() async throws {
        let world = try await World()
        let browser = Browser(world)
        await browser.authorize(world.request(of: world.notes, world.verifier()))
        let policy = browser.page.http.headers.single("Content-Security-Policy") ?? ""
        #expect(policy.contains("form-action 'self' com.example.notes:"))
        await browser.authorize(world.request(of: world.web, world.verifier()))
        let other = browser.page.http.headers.single("Content-Security-Policy") ?? ""
        #expect(other.contains("form-action 'self' https://web.example"))
        #expect(!other.contains("com.example.notes"))
    }

    @Test func `names are escaped wherever they stand`() async throws {
        let world = try await World()
        try await world.change(world.desk) { $0.displayName = "<b>Desk</b>" }
        let browser = Browser(world)
        let more = [("login_hint", "\"><script>")]
        await browser.authorize(world.request(of: world.desk, world.verifier(), more))
        #expect(!browser.page.text.contains("<b>Desk</b>"))
        #expect(!browser.page.text.contains("<script>"))
        #expect(browser.page.text.contains("&lt;b&gt;Desk&lt;/b&gt;"))
    }

    @Test func `a form without its token, or with another, is refused`() async throws {
        let (world, browser) = try await atSignIn()
        let right = [("username", "alice"), ("password", World.password), ("choice", "sign-in")]
        let id = ("interaction", browser.hidden("interaction") ?? "")
        let token = ("token", browser.hidden("token") ?? "")
        #expect(await world.post(.signIn, right + [id], headers: cookies(browser)).status == 400)
        #expect(await world.post(.signIn, right + [id, ("token", "x")], headers: cookies(browser)).status == 403)
        #expect(try world.count("session") == 0)
        #expect(await world.post(.signIn, right + [id, token], headers: cookies(browser)).status == 200)
        #expect(try world.count("session") == 1)
    }

    @Test func `a page that was sent to another browser cannot be answered`() async throws {
        let (world, victim) = try await atSignIn()
        let attacker = Browser(world)
        attacker.steal(victim)
        #expect(await attacker.signIn().status == 403)
        await attacker.authorize(world.request(of: world.desk, world.verifier()))
        attacker.steal(victim)
        #expect(await attacker.signIn().status == 403)
        #expect(try world.count("session") == 0)
        await victim.signIn()
        #expect(victim.showsConsent)
    }

    @Test func `the cookie changes at sign-in, and the old one is worth nothing`() async throws {
        let (world, browser) = try await atSignIn()
        let before = cookies(browser)
        await browser.signIn()
        #expect(browser.showsConsent)
        #expect(cookies(browser) != before)
        let none = world.request(of: world.desk, world.verifier(), [("prompt", "none")])
        let old = await world.get("/authorize", query: none, headers: before)
        #expect(old.redirectFields.single("error") == "login_required")
        await browser.press("allow", at: .consent)
        let new = await world.get("/authorize", query: none, headers: cookies(browser))
        #expect(new.redirectFields.single("code") != nil)
    }

    @Test(.rule("A158")) func `a cookie is ASCII, whoever signs in`() async throws {
        let (world, browser) = try await atSignIn()
        try await world.addUser("björn.李🦊", claims: ["name": "Björn 李 🦊"])
        await browser.signIn("björn.李🦊")
        #expect(browser.showsConsent)
        await browser.press("allow", at: .consent)
        #expect(!browser.cookies.isEmpty)
        #expect(browser.cookies.allSatisfy { ($0.key + $0.value).allSatisfy(\.isASCII) })
    }

    @Test(arguments: [
        ("http://localhost:8123", "countersign-8123", false), ("https://id.example", "__Host-countersign", true),
    ])
    func `the cookie is HttpOnly and Lax, and on https Secure and bound to the host`(
        issuer: String, name: String, isSecure: Bool
    ) async throws {
        let world = try await World(issuer: issuer)
        let browser = Browser(world)
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        let header = browser.page.http.headers.single("Set-Cookie") ?? ""
        #expect(header.hasPrefix("\(name)="))
        #expect(header.contains("; Path=/; HttpOnly; SameSite=Lax"))
        #expect(header.contains("Secure") == isSecure)
        #expect(!header.contains("Domain"))
    }

    @Test(.rule("A046")) func `cancel and deny go back as access_denied, and the page cannot be answered again`()
        async throws
    {
        let (world, browser) = try await atSignIn()
        let form = ["interaction", "token"].map { ($0, browser.hidden($0) ?? "") }
        let cancelled = await browser.press("cancel", at: .signIn)
        #expect(cancelled.redirectFields.single("error") == "access_denied")
        #expect(cancelled.redirectFields.single("iss") == world.issuer.text)
        let typed = [("choice", "sign-in"), ("username", "alice"), ("password", World.password)]
        #expect(await browser.send(form + typed, to: .signIn).status == 400)
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        await browser.signIn()
        let denied = await browser.press("deny", at: .consent)
        #expect(denied.redirectFields.single("error") == "access_denied")
        #expect(try world.count("interaction") == 0)
        #expect(try world.count("code") == 0)
    }

    @Test func `a page is answered within its time only`() async throws {
        let (world, browser) = try await atSignIn()
        world.clock.advance(by: .seconds(9 * 60))
        await browser.signIn()
        #expect(browser.showsConsent)
        world.clock.advance(by: .seconds(2 * 60))
        #expect(await browser.press("allow", at: .consent).status == 400)
        #expect(try world.count("code") == 0)
    }

    // MARK: passwords

    @Test func `a wrong password is said in words with the tries that are left`() async throws {
        let (_, browser) = try await atSignIn()
        await browser.signIn("alice", "wrong")
        #expect(browser.showsSignIn)
        #expect(browser.page.text.contains("That user name and password do not match. Four tries are left."))
        #expect(browser.page.text.contains("role=\"alert\""))
        await browser.signIn("alice", "wrong")
        #expect(browser.page.text.contains("Three tries are left."))
        await browser.signIn()
        #expect(browser.showsConsent)
    }

    @Test func `a user that does not exist reads the same as a wrong password`() async throws {
        let (_, browser) = try await atSignIn()
        let known = await browser.signIn("alice", "wrong").text
        let unknown = await browser.signIn("nobody", "wrong").text
        #expect(unknown.replacing("nobody", with: "alice") == known)
    }

    @Test func `five wrong passwords within ten minutes close the name for all browsers, then it opens again`()
        async throws
    {
        let (world, browser) = try await atSignIn()
        for _ in 1...4 { #expect(await browser.signIn("alice", "wrong").status == 200) }
        #expect(await browser.signIn("alice", "wrong").status == 429)
        #expect(await browser.signIn().status == 429)
        let other = Browser(world)
        await other.authorize(world.request(of: world.desk, world.verifier()))
        #expect(await other.signIn("Alice").status == 429)
        #expect(await other.signIn("bob").status == 200)
        world.clock.advance(by: .seconds(601))
        let later = Browser(world)
        await later.authorize(world.request(of: world.desk, world.verifier()))
        await later.signIn()
        #expect(later.showsConsent)
    }

    @Test func `many wrong passwords at once count one by one`() async throws {
        let (world, browser) = try await atSignIn()
        let form = [
            ("username", "alice"), ("password", "wrong"), ("choice", "sign-in"),
            ("interaction", browser.hidden("interaction") ?? ""), ("token", browser.hidden("token") ?? ""),
        ]
        let headers = cookies(browser)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 1...12 { group.addTask { await world.post(.signIn, form, headers: headers).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 4)
        #expect(statuses.count { $0 == 429 } == 8)
    }

    private func atSignIn() async throws -> (World, Browser) {
        let world = try await World()
        let browser = Browser(world)
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        #expect(browser.showsSignIn)
        return (world, browser)
    }

    private func cookies(_ browser: Browser) -> HTTPHeaders {
        ["Cookie": browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")]
    }
}
