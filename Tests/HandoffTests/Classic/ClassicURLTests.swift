import Basics
import Handoff
import JOSE
import OpenIDConnect
import TestSupport
import Testing

/// The original's plain URLs, read more strictly than the original does.
@Suite struct `A classic URL` {
    private static let scheme = ClassicClientEntry.identityProviderScheme
    private static let challenge = Base64URL.encode(Digest.sha256([1]))

    private static func request(_ path: String = "authrequest", _ fields: [(String, String)] = sound) -> String {
        "\(scheme)://oauth2/v1.0/\(path)?\(FormFields(fields).encoded)"
    }

    private static let sound = [
        ("oauth_client_id", "com.example.old"), ("oauth_redirect_uri", "anapp://some/oauth/callback"),
        ("code_challenge", challenge), ("scopes", "openid,profile,refresh_token"), ("app_name", "An app"),
        ("login_host", "login.example.com"), ("user_hint", "USER:ORG"), ("state", "a state"),
    ]

    private static func entry(scopes: String = "openid profile", client: String = "com.example.old") throws
        -> ClassicClientEntry
    {
        ClassicClientEntry(
            id: try AppID("com.example.old"), displayName: "Old", scheme: "anapp", clientID: try ClientID(client),
            redirectURI: try RedirectURI("anapp://some/oauth/callback"), scopes: try ScopeSet(scopes))
    }

    private static func read(_ url: String) throws -> ClassicLoginRequest {
        try ClassicLoginRequest(try ClassicURL(url, scheme: scheme))
    }

    @Test func `is read with all its fields, whatever the case of its name`() throws {
        for path in ["authrequest", "AUTHREQUEST", "AuthRequest"] {
            let request = try Self.read(Self.request(path))
            #expect(request.clientID == "com.example.old")
            #expect(request.redirectURI == "anapp://some/oauth/callback")
            #expect(request.challenge.text == Self.challenge)
            #expect(request.scopes == ["openid", "profile", "refresh_token"])
            #expect(request.state == "a state")
            try request.check(against: try Self.entry())
        }
    }

    @Test func `is read as the original writes it: a plus sign is a space, and every escape is undone once`() throws {
        let fields = FormFields(Self.sound.filter { $0.0 != "state" }).encoded
        for (written, read) in [("a+b", "a b"), ("a%2Bb", "a+b"), ("%2541", "%41"), ("%F0%9F%94%91", "🔑")] {
            let url = "\(Self.scheme)://oauth2/v1.0/authrequest?\(fields)&state=\(written)"
            #expect(try Self.read(url).state == read)
        }
    }

    @Test(arguments: [
        "authrequest", "authrequest?", "authrequest/?x=y", "dance?code=x", "authreque%73t?x=y", "authrequest?x=%FF",
        "authrequest?x=%zz", "authrequest?x=y#fragment", "authrequest?x=y&x=z", "authrequest;a=b?x=y",
        "authreque\u{17F}t?x=y", "../v1.0/authrequest?x=y",
    ])
    func `of another shape is refused`(_ rest: String) {
        #expect(throws: Fault(.classicMalformed)) {
            try Self.read("\(Self.scheme)://oauth2/v1.0/\(rest)")
        }
    }

    @Test(arguments: [
        "://user@oauth2/v1.0/authrequest", "://oauth2:80/v1.0/authrequest", "://other/v1.0/authrequest",
        "://oauth2/v2.0/authrequest", "://oauth2/authrequest", ":/oauth2/v1.0/authrequest",
    ])
    func `of another host, port or version is refused`(_ start: String) {
        let fields = FormFields(Self.sound).encoded
        #expect(throws: Fault(.classicMalformed)) { try Self.read("\(Self.scheme)\(start)?\(fields)") }
    }

    @Test func `without a field that is needed, or with one that is not known, is refused`() throws {
        for name in ["oauth_client_id", "oauth_redirect_uri", "code_challenge"] {
            #expect(throws: Fault(.classicMalformed), "\(name)") {
                try Self.read(Self.request("authrequest", Self.sound.filter { $0.0 != name }))
            }
            #expect(throws: Fault(.classicMalformed), "\(name), empty") {
                try Self.read(Self.request("authrequest", Self.sound.map { ($0.0, $0.0 == name ? "" : $0.1) }))
            }
        }
        #expect(throws: Fault(.classicMalformed)) {
            try Self.read(Self.request("authrequest", Self.sound + [("x", "y")]))
        }
        let long = Self.sound.map { ($0.0, $0.0 == "app_name" ? String(repeating: "x", count: 9_000) : $0.1) }
        #expect(throws: Fault(.classicMalformed)) { try Self.read(Self.request("authrequest", long)) }
    }

    @Test(.rule("S11"), arguments: ["USER", "USER:", ":ORG", "USER:ORG:MORE", ":"])
    func `with a hint of another form is refused, and crashes nobody`(_ hint: String) {
        #expect(throws: Fault(.classicMalformed)) {
            try Self.read(Self.request("authrequest", Self.sound.map { ($0.0, $0.0 == "user_hint" ? hint : $0.1) }))
        }
    }

    @Test func `that contradicts the registry is refused`() throws {
        let request = try Self.read(Self.request())
        try request.check(against: try Self.entry())
        #expect(throws: Fault(.classicMismatch)) {
            try request.check(against: try Self.entry(client: "com.example.other"))
        }
        #expect(throws: Fault(.classicMismatch)) { try request.check(against: try Self.entry(scopes: "openid")) }
        let elsewhere = Self.sound.map { ($0.0, $0.0 == "oauth_redirect_uri" ? $0.1 + "/" : $0.1) }
        let other = try Self.read(Self.request("authrequest", elsewhere))
        #expect(throws: Fault(.classicMismatch)) { try other.check(against: try Self.entry()) }
    }

    @Test func `is in one mode by its scheme: no signed command is one, and it is no signed command`() throws {
        let url = Self.request()
        #expect(ClassicURL.isClaimed(url, scheme: Self.scheme))
        #expect(!CommandURL.isClaimed(url, schemes: ["org.countersign.idp"]))
        let signed = "org.countersign.idp://oauth2/v1.0/authrequest?command=a.b.c"
        #expect(!ClassicURL.isClaimed(signed, scheme: Self.scheme))
        #expect(throws: Fault(.classicMalformed)) {
            try Self.read("\(Self.scheme)://oauth2/v1.0/authrequest?command=a.b.c")
        }
        // A plain URL in the scheme for signed ones is of the wrong shape there.
        let plain = "org.countersign.idp://oauth2/v1.0/authrequest?\(FormFields(Self.sound).encoded)"
        #expect(throws: Fault(.commandShape)) { try CommandURL(plain, schemes: ["org.countersign.idp"]) }
    }

    @Test func `that answers carries the code, byte for byte, or a word of the closed list`() throws {
        for code in ["abc==", "a+b/c=&?#%41", "é"] {
            let url = ClassicAnswer.code(Secret(code)).url(scheme: "anapp", state: "s&t").unmasked
            let query = try #require(url.split(separator: "?", maxSplits: 1).last)
            #expect(url.hasPrefix("anapp://oauth2/v1.0/authresponse?"))
            let fields = try FormFields(parsing: String(query))
            #expect(fields.single("code") == code && fields.single("state") == "s&t")
        }
        let refusal = ClassicAnswer.refused(.accessDenied).url(scheme: "anapp", state: nil).unmasked
        #expect(
            refusal
                == "anapp://oauth2/v1.0/error?errorCode=-999&errorReason=access_denied&errorDescription=access_denied")
    }
}
