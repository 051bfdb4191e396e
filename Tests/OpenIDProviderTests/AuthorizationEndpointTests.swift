import Basics
import JOSE
import OpenIDConnect
import Platform
import TestSupport
import Testing

@testable import OpenIDProvider

@Suite struct AuthorizationEndpointTests {
    @Test func `a whole login ends in a code, the state and the issuer`() async throws {
        let (world, browser) = try await start()
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        #expect(browser.showsSignIn)
        await browser.signIn()
        #expect(browser.showsConsent)
        let answer = await browser.press("allow", at: .consent)
        #expect(answer.status == 303)
        #expect(answer.location?.hasPrefix("http://127.0.0.1/done?") == true)
        let response = try AuthorizationResponse(fields: answer.redirectFields.pairs.map { ($0.name, $0.value) })
        try response.check(state: try State("st-1"), issuer: world.issuer, issuerIsRequired: true)
        guard case .code = response.outcome else { return #expect(Bool(false), "\(response)") }
    }

    @Test func `the request may come by POST`() async throws {
        let (world, browser) = try await start()
        await browser.send(world.request(of: world.desk, world.verifier()), to: .authorize)
        #expect(browser.showsSignIn)
    }

    @Test(
        .rule("A011", "A015"),
        arguments: [
            ("redirect_uri", "http://127.0.0.1/other"), ("redirect_uri", "https://evil.example/done"),
            ("redirect_uri", ""), ("client_id", "nobody"), ("client_id", ""),
        ])
    func `a redirect URI or client that is not registered is a page and never a redirect`(
        name: String, value: String
    ) async throws {
        let (world, browser) = try await start()
        let refused = await browser.authorize(world.request(of: world.desk, world.verifier(), [(name, value)]))
        #expect(refused.location == nil)
        #expect((400..<500).contains(refused.status))
        #expect(refused.text.contains("This cannot go on"))
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        #expect(browser.showsSignIn)
    }

    @Test(.rule("A018")) func `a loopback address may come with any port, and the code goes to that one`() async throws
    {
        let (world, browser) = try await start()
        let address = ("redirect_uri", "http://127.0.0.1:40123/done")
        await browser.authorize(world.request(of: world.desk, world.verifier(), [address]))
        await browser.signIn()
        let answer = await browser.press("allow", at: .consent)
        #expect(answer.location?.hasPrefix("http://127.0.0.1:40123/done?code=") == true)
    }

    @Test(arguments: [
        ("response_type", "token", "unsupported_response_type"), ("response_type", "", "invalid_request"),
        ("code_challenge", "", "invalid_request"), ("code_challenge_method", "plain", "invalid_request"),
        ("code_challenge_method", "", "invalid_request"), ("scope", "openid admin", "invalid_scope"),
        ("scope", "openid device_sso", "invalid_scope"), ("prompt", "none login", "invalid_request"),
        ("request_uri", "https://a.example/r", "request_uri_not_supported"),
        ("request", "e30.e30.", "request_not_supported"), ("id_token_hint", "e30.e30.AA", "invalid_request"),
    ])
    func `what breaks a rule goes back to the app with the error, the state and the issuer`(
        name: String, value: String, error: String
    ) async throws {
        let (world, browser) = try await start()
        let answer = await browser.authorize(world.request(of: world.desk, world.verifier(), [(name, value)]))
        let fields = answer.redirectFields
        #expect(answer.status == 303)
        #expect(fields.single("error") == error)
        #expect(fields.single("state") == "st-1")
        #expect(fields.single("iss") == world.issuer.text)
        #expect(fields.single("code") == nil)
        #expect(fields.single("error_description")?.isEmpty == false)
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        #expect(browser.showsSignIn)
    }

    @Test(.rule("A151")) func `a parameter that comes twice is refused on a page`() async throws {
        let (world, browser) = try await start()
        let twice = world.request(of: world.desk, world.verifier()) + [("state", "other")]
        #expect(await browser.authorize(twice).status == 400)
        #expect(browser.page.location == nil)
    }

    @Test func `parameters that are unknown here cause no error`() async throws {
        let (world, browser) = try await start()
        let more = [
            ("display", "popup"), ("ui_locales", "de"), ("claims_locales", "de"), ("acr_values", "1 2"),
            ("extra", "anything"), ("login_hint", "bob"),
        ]
        await browser.authorize(world.request(of: world.desk, world.verifier(), more))
        #expect(browser.showsSignIn)
        #expect(browser.page.text.contains("value=\"bob\""))
    }

    @Test func `the steps of the endpoint stand in one list, and the address is checked before anything can redirect`()
    {
        #expect(
            AuthorizationStep.all.map(\.name) == [
                "find client", "check redirect URI", "open request object", "read parameters", "check registration",
                "read hint", "find session", "sign in", "consent", "issue code", "respond",
            ])
    }

    // MARK: prompt, max_age, hints

    @Test func `prompt=none without a session is login_required, with one a silent code`() async throws {
        let (world, browser) = try await start()
        let none = [("prompt", "none")]
        let refused = await browser.authorize(world.request(of: world.desk, world.verifier(), none))
        #expect(refused.redirectFields.single("error") == "login_required")
        try await signInAndAllow(browser)
        let silent = await browser.authorize(world.request(of: world.desk, world.verifier(), none))
        #expect(silent.redirectFields.single("code") != nil)
    }

    @Test func `prompt=none without consent is consent_required`() async throws {
        let (world, browser) = try await start()
        try await signInAndAllow(browser)
        let more = [("prompt", "none")]
        let wider = world.request(of: world.desk, world.verifier(), scope: "openid email profile", more)
        #expect(await browser.authorize(wider).redirectFields.single("error") == "consent_required")
    }

    @Test func `prompt=login asks although somebody is signed in, and gives a later auth_time`() async throws {
        let (world, browser) = try await start()
        try await signInAndAllow(browser)
        world.clock.advance(by: .seconds(30))
        let verifier = world.verifier()
        await browser.authorize(world.request(of: world.desk, verifier, [("prompt", "login")]))
        #expect(browser.showsSignIn)
        let code = await browser.signIn().redirectFields.single("code") ?? ""
        let tokens = try await world.redeem(code, of: world.desk, verifier, key: nil)
        let token = try world.idToken(tokens, for: world.desk, .rs256, nonce: try Nonce("no-1"))
        #expect(token.authTime == World.start + .seconds(30))
    }

    @Test func `a sign-in older than max_age is asked for again, a newer one is kept with its auth_time`() async throws
    {
        let (world, browser) = try await start()
        try await signInAndAllow(browser)
        world.clock.advance(by: .seconds(100))
        let verifier = world.verifier()
        let kept = await browser.authorize(world.request(of: world.desk, verifier, [("max_age", "1000")]))
        let code = kept.redirectFields.single("code") ?? ""
        let tokens = try await world.redeem(code, of: world.desk, verifier, key: nil)
        #expect(try world.idToken(tokens, for: world.desk, .rs256, nonce: try Nonce("no-1")).authTime == World.start)
        await browser.authorize(world.request(of: world.desk, world.verifier(), [("max_age", "60")]))
        #expect(browser.showsSignIn)
    }

    @Test func `prompt=select_account asks which account`() async throws {
        let (world, browser) = try await start()
        try await signInAndAllow(browser)
        await browser.authorize(world.request(of: world.desk, world.verifier(), [("prompt", "select_account")]))
        #expect(browser.showsSignIn)
        #expect(await browser.signIn().redirectFields.single("code") != nil)
    }

    @Test func `a hint of the person signed in passes silently, one of another person never gives a code`() async throws
    {
        let (world, browser) = try await start()
        try await signInAndAllow(browser)
        let verifier = world.verifier()
        let answer = await browser.authorize(world.request(of: world.desk, verifier))
        let tokens = try await world.redeem(
            answer.redirectFields.single("code") ?? "", of: world.desk, verifier, key: nil)
        let more = [("prompt", "none"), ("id_token_hint", try tokens.string("id_token"))]
        let same = await browser.authorize(world.request(of: world.desk, world.verifier(), more))
        #expect(same.redirectFields.single("code") != nil)

        let other = Browser(world)
        await other.authorize(world.request(of: world.desk, world.verifier()))
        await other.signIn("bob")
        await other.press("allow", at: .consent)
        let silent = await other.authorize(world.request(of: world.desk, world.verifier(), more))
        #expect(silent.redirectFields.single("error") == "login_required")
        await other.authorize(world.request(of: world.desk, world.verifier(), Array(more.dropFirst())))
        #expect(other.showsSignIn)
        #expect(await other.signIn("bob").redirectFields.single("error") == "login_required")
    }

    @Test func `an access token is no id_token_hint`() async throws {
        let (world, browser) = try await start()
        let tokens = try await world.bearerTokens()
        let more = [("id_token_hint", try tokens.string("access_token"))]
        let answer = await browser.authorize(world.request(of: world.desk, world.verifier(), more))
        #expect(answer.redirectFields.single("error") == "invalid_request")
    }

    // MARK: request objects

    @Test func `parameters of a request object count alone`() async throws {
        let (world, browser) = try await start()
        let verifier = world.verifier()
        let object = try world.requestObject(of: world.notes, verifier) {
            $0.scope = (try? ScopeSet("openid")) ?? $0.scope
        }
        let outer = world.request(
            of: world.notes, world.verifier(), scope: "openid profile", [("request", object), ("state", "outer")])
        await browser.authorize(outer)
        await browser.signIn()
        #expect(!browser.page.text.contains("see your name"))
        let fields = await browser.press("allow", at: .consent).redirectFields
        #expect(fields.single("state") == "s-1")
        let tokens = try await world.redeem(
            fields.single("code") ?? "", of: world.notes, verifier, key: world.notes.key)
        #expect(tokens.json["scope"] == "openid")
    }

    @Test func `a request object of another key is refused, the client's own is taken once`() async throws {
        let (world, browser) = try await start()
        let base = [("client_id", world.notes.id.text)]
        let forged = try world.requestObject(of: world.notes, world.verifier(), signedBy: world.photos.key)
        #expect(await browser.authorize(base + [("request", forged)]).status == 400)
        let object = try world.requestObject(of: world.notes, world.verifier())
        await browser.authorize(base + [("request", object)])
        await browser.signIn()
        #expect(await browser.press("allow", at: .consent).redirectFields.single("code") != nil)
        let again = await browser.authorize(base + [("request", object)])
        #expect(again.redirectFields.single("error") == "invalid_request_object")
    }

    @Test func `a client that must sign its requests is refused without a request object`() async throws {
        let (world, browser) = try await start()
        try await world.change(world.notes) { $0.requiresRequestObject = true }
        let plain = await browser.authorize(world.request(of: world.notes, world.verifier()))
        #expect(plain.redirectFields.single("error") == "invalid_request")
        let object = try world.requestObject(of: world.notes, world.verifier())
        await browser.authorize([("client_id", world.notes.id.text), ("request", object)])
        #expect(browser.showsSignIn)
    }

    private func start() async throws -> (World, Browser) {
        let world = try await World()
        return (world, Browser(world))
    }

    private func signInAndAllow(_ browser: Browser) async throws {
        let world = browser.world
        await browser.authorize(world.request(of: world.desk, world.verifier()))
        await browser.signIn()
        #expect(await browser.press("allow", at: .consent).redirectFields.single("code") != nil)
    }
}
