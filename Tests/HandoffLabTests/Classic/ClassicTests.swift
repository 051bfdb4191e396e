import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct `A classic client` {
    /// The original's verifier: longer than RFC 7636 has it.
    private static let verifier = Base64URL.encode([UInt8](repeating: 7, count: 128))

    @Test func `gets a code when the person allows it, each time anew, and no refresh token for it`() throws {
        #expect(Self.verifier.utf8.count == 171)
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked, allowsClassic: true)
            let app = try await ClassicApp(world)
            for attempt in 1...2 {
                try await app.ask(challenge: Self.verifier, state: "s \(attempt)")
                let answer = try await app.answer(attempt)
                #expect(answer.hasPrefix("anapp://oauth2/v1.0/authresponse?"))
                let fields = try FormFields(parsing: String(answer.split(separator: "?")[1]))
                #expect(fields.single("state") == "s \(attempt)")
                let tokens = try await world.redeem(try #require(fields.single("code")), Self.verifier)
                #expect(tokens["access_token"] != nil && tokens["id_token"] != nil)
                #expect(tokens["refresh_token"] == nil)
            }
            #expect(asked.kinds == [.signIn, .consent, .consent])
            let question = try #require(asked.questions.last)
            #expect(question.lines.contains { $0.contains("unsigned") })
            #expect(question.asker?.name == "Old app")
            #expect(world.refusals(of: idp) == [])
            for line in world.journal.lines { #expect(!line.entry.message.contains("code=")) }
            await app.stop()
            await broker.stop()
        }
    }

    @Test func `is told in the original's words that the person did not allow it`() throws {
        try simulate { world in
            let broker = try await world.runBroker(
                dialogue: Script.choosing(["deny", "sign-in"]), allowsClassic: true)
            let app = try await ClassicApp(world)
            try await app.ask(challenge: Self.verifier)
            #expect(
                try await app.answer(1)
                    == "anapp://oauth2/v1.0/error?errorCode=-999&errorReason=access_denied"
                    + "&errorDescription=access_denied")
            #expect(try world.count("provider.code") == 0)
            await app.stop()
            await broker.stop()
        }
    }

    @Test func `is nobody where the process does not allow classic ones`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked)
            let app = try await ClassicApp(world)
            try await app.ask(challenge: Self.verifier)
            try await world.environment.sleep(for: .seconds(5))
            #expect(app.answers == [] && asked.kinds == [])
            await app.stop()
            await broker.stop()
        }
    }

    @Test func `is known by its bus name alone: by an opener or from another name its request has no effect`() throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked, allowsClassic: true)
            let app = try await ClassicApp(world)
            let request = app.request(challenge: Self.verifier)
            try await world.bus.connect(userID: 1000).open(request, at: idp, startIfNeeded: false)
            try await world.environment.sleep(for: .seconds(1))
            #expect(await failure { try await broker.role.handle(request, sender: nil) }?.code == .classicSender)
            #expect(world.refusals(of: idp) == ["classic-sender", "classic-sender"])
            #expect(app.answers == [] && asked.kinds == [])
            try await app.ask(challenge: Self.verifier)
            _ = try await app.answer(1)
            await app.stop()
            await broker.stop()
        }
    }

    @Test(arguments: [
        "authresponse?code=x", "error?errorCode=999&errorReason=Aces%20High", "idpinit?user_hint=a:b",
        "idpauthcodeinit?code=x&keychain_reference=r&keychain_group=g", "logout?x=y",
    ])
    func `has no effect with anything but a request`(_ rest: String) throws {
        try simulate { world in
            let asked = NotedDialogue(Script.allowing("alice"))
            let broker = try await world.runBroker(dialogue: asked, allowsClassic: true)
            let app = try await ClassicApp(world)
            let before = try world.home.read { try $0.list(RecordKind("broker.flow")).count }
            try await app.send("\(ClassicClientEntry.identityProviderScheme)://oauth2/v1.0/\(rest)")
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp) == [rest.hasPrefix("logout") ? "classic-malformed" : "classic-unasked"])
            #expect(app.answers == [] && asked.kinds == [])
            #expect(try world.home.read { try $0.list(RecordKind("broker.flow")).count } == before)
            try await app.ask(challenge: Self.verifier)
            _ = try await app.answer(1)
            await app.stop()
            await broker.stop()
        }
    }

    @Test func `takes client, address and scopes from the registry: another one in the URL is refused`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"), allowsClassic: true)
            let app = try await ClassicApp(world)
            for change in [
                ("oauth_client_id", notes), ("oauth_redirect_uri", "anapp://evil"), ("scopes", "openid,admin"),
            ] {
                try await app.send(app.request(challenge: Self.verifier, changing: change))
                try await world.environment.sleep(for: .seconds(1))
            }
            #expect(world.refusals(of: idp) == Array(repeating: "classic-mismatch", count: 3))
            #expect(try world.count("provider.code") == 0)
            await app.stop()
            await broker.stop()
        }
    }

    @Test func `asks one at a time: a second request meanwhile has no effect on the first`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let release = Promise<Void>()
            let broker = try await world.runBroker(
                dialogue: Held(silent, until: release, Script.allowing("alice")), allowsClassic: true)
            let app = try await ClassicApp(world)
            try await app.ask(challenge: Self.verifier, state: "first")
            _ = try await silent.asked.value()
            try await app.ask(challenge: Self.verifier, state: "second")
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.refusals(of: idp) == ["classic-busy"])
            release.fulfil()
            #expect(try await app.answer(1).contains("state=first"))
            try await app.ask(challenge: Self.verifier, state: "third")
            #expect(try await app.answer(2).contains("state=third"))
            await app.stop()
            await broker.stop()
        }
    }

    @Test(.rule("S18")) func `has the long verifier alone: no other client may use one`() throws {
        try simulate { world in
            let plain = try ClientID("org.example.plain")
            try await world.providerStore.write(.full) {
                try ProviderRegistry.put(
                    client: RegisteredClient(
                        id: plain, displayName: "Plain", redirectURIs: [try RedirectURI("anapp://callback")],
                        scopes: try ScopeSet("openid")), in: $0)
            }
            for (client, says) in [(plain.text, "not one"), (ClassicApp.id, "unknown")] {
                if client == ClassicApp.id { try await world.registerClassic() }
                let answer = try await world.redeem("no-such-code", Self.verifier, as: client)
                #expect(answer["error"] == "invalid_grant")
                #expect(answer["error_description"]?.stringValue?.contains(says) == true)
            }
        }
    }

    @Test func `cannot have the scheme of an app of the other mode, nor that app its own`() throws {
        try simulate { world in
            try await world.registerClassic()
            let broker = try world.app(idp).store
            let app = try WorldPlan.app("org.example.late") { $0.scheme = "AnApp" }
            let enrolment = try AppEnrolment(
                of: app, keys: AppPublicKeys(try AppKeys.generate(randomBytes: world.environment.randomBytes)),
                identityProvider: try world.app(idp).manifest,
                identityProviderKeys: AppPublicKeys(try world.app(idp).keys), issuer: world.issuer)
            await #expect(throws: Fault(.classicScheme)) {
                try await broker.write(.full) { try AppRegistry.put(enrolment.entry, in: $0) }
            }
            var entry = try ClassicApp.entry()
            entry.scheme = notes
            let taken = entry
            await #expect(throws: Fault(.classicScheme)) {
                try await broker.write(.full) { try ClassicRegistry.put(taken, in: $0) }
            }
        }
    }
}

/// A client that speaks plain URLs: a name on the bus, and nothing else.
private struct ClassicApp {
    static let id = "com.example.old"

    private let bus: any CommandBus
    private let environment: Environment
    private let got: Inbox

    private final class Inbox: Sendable {
        let urls = Mutex<[String]>([])
    }

    init(_ world: LabWorld) async throws {
        try await world.registerClassic()
        environment = world.environment
        let inbox = Inbox()
        got = inbox
        bus = world.bus.connect(userID: 1000)
        _ = try await bus.register(Self.id) { delivery in
            if case .open(let url) = delivery.content { inbox.urls.withLock { $0.append(url) } }
        }
    }

    static func entry() throws -> ClassicClientEntry {
        ClassicClientEntry(
            id: try AppID(id), displayName: "Old app", scheme: "anapp", clientID: try ClientID(id),
            redirectURI: try RedirectURI("anapp://callback"), scopes: try ScopeSet("openid profile offline_access"))
    }

    var answers: [String] { got.urls.withLock { $0 } }

    func request(challenge verifier: String, state: String? = nil, changing change: (String, String)? = nil) -> String {
        var fields = [
            ("oauth_client_id", Self.id), ("oauth_redirect_uri", "anapp://callback"),
            ("code_challenge", Base64URL.encode(Digest.sha256(Array(verifier.utf8)))),
            ("scopes", "openid,profile,refresh_token"), ("app_name", "Trust me"),
        ]
        if let state { fields.append(("state", state)) }
        fields = fields.map { ($0.0, $0.0 == change?.0 ? change?.1 ?? "" : $0.1) }
        return "\(ClassicClientEntry.identityProviderScheme)://oauth2/v1.0/authrequest?\(FormFields(fields).encoded)"
    }

    func ask(challenge verifier: String, state: String? = nil) async throws {
        try await send(request(challenge: verifier, state: state))
    }

    func send(_ url: String) async throws { try await bus.open(url, at: idp, startIfNeeded: false) }

    /// Waits for the answer of that number.
    func answer(_ number: Int) async throws -> String {
        for _ in 0..<1_000 {
            if answers.count >= number { return answers[number - 1] }
            try await environment.sleep(for: .milliseconds(20))
        }
        throw Fault(.deadlinePassed)
    }

    func stop() async { await bus.stop() }
}

extension LabWorld {
    /// Writes the classic client into both registries, as `apps add --classic` does.
    fileprivate func registerClassic() async throws {
        let entry = try ClassicApp.entry()
        let brokerID = try ClientID(idp)
        _ = try await home.write(.full) { transaction in
            try transaction.scoped(to: "provider") { rows in
                try ProviderRegistry.put(
                    client: .classicApp(
                        id: entry.clientID, displayName: entry.displayName, redirectURI: entry.redirectURI,
                        scopes: entry.scopes), in: rows)
                var broker = try #require(try ProviderRegistry.client(brokerID, in: rows))
                broker.mayInitiate.append(entry.clientID)
                try ProviderRegistry.put(client: broker, in: rows)
            }
            try transaction.scoped(to: "broker") { try ClassicRegistry.put(entry, in: $0) }
        }
    }

    /// Redeems a code as a public client without a key does.
    fileprivate func redeem(
        _ code: String, _ verifier: String, as client: String = ClassicApp.id
    ) async throws -> JSONValue {
        var call = HTTPCall(
            "POST", "\(issuer.text)/token",
            body: Array(
                FormFields([
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", "anapp://callback"),
                    ("code_verifier", verifier), ("client_id", client),
                ]).encoded.utf8))
        call.headers.set("Content-Type", "application/x-www-form-urlencoded")
        return try JSONValue(parsing: try await network.send(call).body)
    }
}
