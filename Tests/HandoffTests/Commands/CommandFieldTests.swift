import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// The fields of each command: what must be there, what may be, and nothing else.
@Suite struct CommandFieldTests {
    private static let required: [(CommandName, [String])] = [
        (.authrequest, ["request"]), (.authresponse, ["code", "issuer", "client_id", "state", "sub"]),
        (.idpinit, ["user_hint"]), (.idpauthcodeinit, ["code", "issuer", "client_id", "sub"]), (.error, ["errorCode"]),
        (.authack, ["outcome"]), (.cancel, []), (.logout, ["issuer", "sub", "scope"]), (.logoutack, ["outcome"]),
        (.ping, ["nonce"]), (.pong, ["nonce", "version", "enc_kid"]),
    ]
    private static let optional: [(CommandName, [String])] = [
        (.authrequest, ["user_hint", "app_name", "login_host"]), (.idpinit, ["start_url"]),
        (.idpauthcodeinit, ["start_url"]), (.logout, ["sid", "logout_token"]),
    ]

    @Test func `the samples have every field there is`() {
        for name in CommandName.allCases {
            let known = (Self.required + Self.optional).filter { $0.0 == name }.flatMap(\.1)
            #expect(Samples.command(name).fields.keys.sorted() == known.sorted())
        }
    }

    @Test(.rule("T16", "A028", "A031", "A068"), arguments: required)
    func `a missing or ill-typed field is refused`(_ name: CommandName, _ fields: [String]) throws {
        let sound = try Samples.forge(name)
        #expect(try sound.refusal() == nil)
        for field in fields {
            for value: JSONValue? in [nil, .null, 1, true, [], [.string("x")], "", .number(0.5), .object([:])] {
                #expect(try sound.with(field, value).refusal() == .commandMeaning, "\(field)")
            }
        }
    }

    @Test(arguments: optional)
    func `an optional field may be absent but not ill-typed`(_ name: CommandName, _ fields: [String]) throws {
        let sound = try Samples.forge(name)
        for field in fields {
            #expect(try sound.with(field, nil).refusal() == nil, "\(field)")
            for value: JSONValue? in [.null, 1, true, [], "", .object([:])] {
                #expect(try sound.with(field, value).refusal() == .commandMeaning, "\(field)")
            }
        }
    }

    @Test(.rule("S16", "M3", "A032", "A068"), arguments: CommandName.allCases)
    func `an unknown field is refused in every command`(_ name: CommandName) throws {
        let sound = try Samples.forge(name)
        let others = [
            "x", "scope", "redirect_uri", "client_secret", "keychain_reference", "keychain_group", "code_verifier",
            "login_url", "src_app_package_name", "error_description", "access_token", "id_token",
        ]
        for field in others {
            #expect(try sound.with(field, "y").refusal() == .commandMeaning, "\(field)")
        }
    }

    @Test(
        .rule("S11", "T30", "T50"),
        arguments: [
            "{}", "[]", "\"alice\"", "\"u1:o1\"", "null", "{\"iss\":\"i\"}", "{\"sub\":\"s\"}",
            "{\"iss\":\"i\",\"sub\":\"\"}",
            "{\"iss\":\"\",\"sub\":\"s\"}", "{\"iss\":\"i\",\"sub\":1}",
            "{\"iss\":\"i\",\"sub\":\"s\",\"username\":\"a\"}",
            "{\"username\":\"\"}", "{\"username\":[]}", "{\"username\":\"a\",\"sub\":\"s\"}", "{\"Username\":\"a\"}",
        ])
    func `a user hint is iss and sub, or username, and nothing else`(_ text: String) throws {
        let hint = try JSONValue(parsing: text)
        #expect(throws: Fault(.commandMeaning)) { try UserHint(hint) }
        #expect(try Samples.forge(.idpinit).with("user_hint", hint).refusal() == .commandMeaning)
        #expect(try Samples.forge(.authrequest).with("user_hint", hint).refusal() == .commandMeaning)
    }

    @Test func `a hint in either form is read`() throws {
        #expect(try UserHint(["iss": "i", "sub": "u:o:x"]) == .account(issuer: "i", subject: "u:o:x"))
        #expect(try UserHint(["username": "alice"]) == .username("alice"))
    }

    @Test(
        .rule("S8", "T6"),
        arguments: ["", "999", "Aces High", "access_denied ", "ACCESS_DENIED", "invalid_request_object"])
    func `a refusal comes from the closed list`(_ code: String) throws {
        #expect(try Samples.forge(.error).with("errorCode", .string(code)).refusal() == .commandMeaning)
        #expect(try Samples.forge(.error).with("errorCode", "cannot_broker").refusal() == nil)
    }

    @Test(arguments: ["", "ok", "LOGGED_IN", "logged in"])
    func `an outcome comes from the closed list`(_ outcome: String) throws {
        #expect(try Samples.forge(.authack).with("outcome", .string(outcome)).refusal() == .commandMeaning)
        #expect(try Samples.forge(.authack).with("outcome", "switched").refusal() == nil)
    }

    @Test(arguments: ["", "ok", "LOGGED_OUT", "logged_in"])
    func `a receipt comes from the closed list`(_ outcome: String) throws {
        #expect(try Samples.forge(.logoutack).with("outcome", .string(outcome)).refusal() == .commandMeaning)
        #expect(try Samples.forge(.logoutack).with("outcome", "not_logged_in").refusal() == nil)
    }

    @Test func `a receipt carries no name, subject or scope`() throws {
        for field in ["sub", "issuer", "sid", "username", "scope"] {
            #expect(try Samples.forge(.logoutack).with(field, "device").refusal() == .commandMeaning)
        }
    }

    @Test func `a logout goes as far as the closed list says`() throws {
        let sound = try Samples.forge(.logout).with("logout_token", nil)
        for scope in ["", "App", "all", "device everywhere"] {
            #expect(try sound.with("scope", .string(scope)).refusal() == .commandMeaning)
        }
        for scope in ["app", "device", "everywhere"] {
            #expect(try sound.with("scope", .string(scope)).refusal() == nil)
        }
    }

    @Test func `only everywhere comes with a logout token`() throws {
        let sound = try Samples.forge(.logout)
        #expect(try sound.refusal() == nil)
        for scope in ["app", "device"] {
            #expect(try sound.with("scope", .string(scope)).refusal() == .commandMeaning)
        }
    }

    @Test(arguments: [
        "alice smith", "alice@example.com", "https://evil.example", "ü", "a\n", String(repeating: "a", count: 65),
    ])
    func `what is signed only has no room for a name or an address`(_ text: String) throws {
        #expect(try Samples.forge(.ping).with("nonce", .string(text)).refusal() == .commandMeaning)
        for field in ["nonce", "version", "enc_kid"] {
            #expect(try Samples.forge(.pong).with(field, .string(text)).refusal() == .commandMeaning)
        }
        #expect(try Samples.forge(.ping).with("nonce", .string(String(repeating: "a", count: 64))).refusal() == nil)
    }

    @Test func `a name that was asked for twice is gone the second time`() throws {
        var reader = FieldReader(["a": "x"])
        #expect(try reader.text("a") == "x")
        #expect(throws: Fault(.commandMeaning)) { try reader.text("a") }
        #expect(throws: Never.self) { try reader.finish() }
    }
}
