import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Testing

@Suite struct ConsentTests {
    @Test func `consent is remembered for the exact scope set, and for nothing else`() async throws {
        let (world, browser) = try await allowed("openid email profile")
        for scope in ["openid email", "openid email profile offline_access", "openid"] {
            await browser.authorize(world.request(of: world.desk, world.verifier(), scope: scope))
            #expect(browser.showsConsent, "\(scope)")
        }
        let same = await browser.authorize(
            world.request(of: world.desk, world.verifier(), scope: "profile openid email"))
        #expect(same.redirectFields.single("code") != nil)
    }

    @Test func `consent of one person, client or key is none of another`() async throws {
        let (world, browser) = try await allowed("openid email")
        await browser.authorize(world.request(of: world.web, world.verifier()))
        #expect(browser.showsConsent)
        let more = [("dpop_jkt", world.notes.key.thumbprint.value)]
        await browser.authorize(world.request(of: world.desk, world.verifier(), more))
        #expect(browser.showsConsent)
        let other = Browser(world)
        await other.authorize(world.request(of: world.desk, world.verifier()))
        await other.signIn("bob")
        #expect(other.showsConsent)
    }

    @Test func `prompt=consent asks again`() async throws {
        let (world, browser) = try await allowed("openid email")
        await browser.authorize(world.request(of: world.desk, world.verifier(), [("prompt", "consent")]))
        #expect(browser.showsConsent)
        #expect(await browser.press("allow", at: .consent).redirectFields.single("code") != nil)
    }

    @Test func `the page names the app, its key, the account and what each scope means`() async throws {
        let world = try await World()
        let browser = Browser(world)
        await browser.authorize(
            world.request(of: world.notes, world.verifier(), scope: "openid email offline_access"))
        await browser.signIn()
        for words in [
            "Let Notes use your account?", "com.example.notes", world.notes.key.thumbprint.display, "alice@example.com",
            "know who you are", "see your e-mail address", "stay signed in until you log out",
        ] { #expect(browser.page.text.contains(words), "\(words)") }
        #expect(!browser.page.text.contains("see your name"))
    }

    @Test func `another account can be chosen, and the code is for that one`() async throws {
        let world = try await World()
        let (browser, verifier) = (Browser(world), world.verifier())
        await browser.authorize(world.request(of: world.desk, verifier))
        await browser.signIn("alice")
        await browser.press("other", at: .consent)
        #expect(browser.showsSignIn)
        await browser.signIn("bob")
        #expect(browser.showsConsent)
        let code = await browser.press("allow", at: .consent).redirectFields.single("code") ?? ""
        let tokens = try await world.redeem(code, of: world.desk, verifier, key: nil)
        let bob = try world.store.read { try ProviderRegistry.user(named: "bob", in: $0)?.subject }
        #expect(try world.idToken(tokens, for: world.desk, .rs256, nonce: try Nonce("no-1")).subject == bob)
    }

    @Test func `a consent for what the page did not ask is not recorded`() async throws {
        let world = try await World()
        let browser = Browser(world)
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        // An answer to the consent page before that page was ever shown.
        await browser.press("allow", at: .consent)
        #expect(try world.count("consent") == 0)
        #expect(browser.showsSignIn)
        await browser.signIn()
        await browser.press("allow", at: .consent)
        #expect(try world.count("consent") == 1)
    }

    @Test func `a first-party client is not asked for`() async throws {
        let world = try await World()
        try await world.change(world.web) { $0.isFirstParty = true }
        let browser = Browser(world)
        await browser.authorize(world.request(of: world.web, world.verifier()))
        #expect(await browser.signIn().redirectFields.single("code") != nil)
    }

    @Test func `a consent taken back is asked for again, and ends what rested on it`() async throws {
        let (world, browser) = try await allowed("openid email")
        let tokens = try await world.bearerTokens()
        let access = try tokens.string("access_token")
        #expect(try await world.userInfo(access, key: nil).status == 200)
        let desk = world.desk.id
        let subject = try world.store.read { try ProviderRegistry.user(named: "alice", in: $0)?.subject }
        let alice = try #require(subject)
        let found = try await world.store.write(.full) { transaction in
            try ProviderRegistry.withdrawConsent(of: alice, to: desk, in: transaction)
        }
        #expect(found)
        #expect(try await world.userInfo(access, key: nil).status == 401)
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        #expect(browser.showsConsent)
    }

    private func allowed(_ scope: String) async throws -> (World, Browser) {
        let world = try await World()
        let browser = Browser(world)
        await browser.authorize(world.request(of: world.desk, world.verifier(), scope: scope))
        await browser.signIn()
        #expect(browser.showsConsent)
        #expect(await browser.press("allow", at: .consent).redirectFields.single("code") != nil)
        return (world, browser)
    }
}
