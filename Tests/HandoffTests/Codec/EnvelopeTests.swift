import Basics
import Handoff
import JOSE
import TestSupport
import Testing

@Suite struct EnvelopeTests {
    @Test(.rule("T16"), arguments: ["iss", "aud", "jti", "flow", "iat", "exp", "command"])
    func `an envelope without one of its claims is refused`(_ name: String) throws {
        let sound = try Samples.forge(.ping)
        #expect(try sound.refusal() == nil)
        #expect(try sound.with(name, nil).refusal() == .commandMalformed)
        #expect(try sound.with(name, .null).refusal() == .commandMalformed)
        #expect(try sound.with(name, .bool(true)).refusal() == .commandMalformed)
        #expect(try sound.with(name, [.string("x")]).refusal() == .commandMalformed)
        #expect(try sound.with(name, .object([:])).refusal() == .commandMalformed)
        #expect(try sound.with(name, "").refusal() == .commandMalformed)
    }

    @Test(arguments: [
        ("iss", "notes"), ("iss", "com..notes"), ("iss", "com.example.notes\u{301}"), ("aud", "COM"),
        ("aud", "com.example.idp/"),
        ("jti", "AQEB"), ("jti", "AQEBAQEBAQEBAQEBAQEBAQ=="), ("jti", "AQEBAQEBAQEBAQEBAQEBAR"),
        ("jti", "!QEBAQEBAQEBAQEBAQEBAQ"),
        ("irt", "x"), ("irt", ""), ("flow", "0B54A4A5-2C3E-4C55-9D1B-000000000001"),
        ("flow", "0b54a4a52c3e4c559d1b000000000001"),
        ("flow", "0b54a4a5-2c3e-4c55-9d1b-00000000000g"), ("flow", "{b54a4a5-2c3e-4c55-9d1b-000000000001"),
        ("command", "PING"), ("command", "authorize"), ("ekid", ""),
    ])
    func `a claim of another form is refused`(_ name: String, _ value: String) throws {
        #expect(try Samples.forge(.ping).with(name, .string(value)).refusal() == .commandMalformed)
    }

    @Test(arguments: [
        "1800000000", "\"1800000000\"", "1800000000.5", "1.8e9", "-1", "1099511627777", "9223372036854775807",
    ])
    func `only whole seconds are instants`(_ text: String) throws {
        let value = try JSONValue(parsing: text)
        let isSound = text == "1800000000"
        let sound = try Samples.forge(.ping)
        #expect(try sound.with("iat", value).refusal() == (isSound ? nil : .commandMalformed))
        #expect(try sound.with("exp", value).refusal() == (isSound ? .commandLifetime : .commandMalformed))
    }

    @Test func `a trace context is carried, and nothing else is under its name`() throws {
        let sound = try Samples.forge(.ping)
        let context = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        #expect(try sound.with("traceparent", .string(context)).verified()?.envelope.traceparent == context)
        for other in [
            "alice", "", context + "-x", context.uppercased(), String(context.dropLast()), "https://evil.example",
        ] {
            #expect(try sound.with("traceparent", .string(other)).refusal() == .commandMalformed)
        }
    }

    @Test(
        .rule("M3"),
        arguments: ["sub", "nbf", "azp", "x", "Iss", "user_hint", "login_host", "start_url", "name", "scope"])
    func `a claim that nobody asked for is refused`(_ name: String) throws {
        let sound = try Samples.forge(.ping)
        #expect(try sound.with(name, "x").refusal() == .commandMeaning)
        #expect(try sound.refusal() == nil)
    }

    @Test(arguments: ["[]", "\"text\"", "1", "null", "", "{", "{\"iss\":\"\\ud800\"}"])
    func `a payload that is no strict JSON object is refused`(_ payload: String) throws {
        let sound = try Samples.forge(.ping)
        let token = try JWS.sign(Array(payload.utf8), header: sound.header, by: sound.signer)
        #expect(throws: Fault(.commandMalformed)) {
            try World.idp.receiver().verify(sound.url(token: token), now: World.now, registry: { World.registry($0) })
        }
    }

    @Test(.rule("S32")) func `deep nesting is refused`() throws {
        var deep: JSONValue = "x"
        for _ in 0..<8 { deep = [deep] }
        #expect(try Samples.forge(.ping).with("x", deep).refusal() == .commandMalformed)
        #expect(try Samples.forge(.ping).with("x", ["y"]).refusal() == .commandMeaning)
    }

    @Test(arguments: ["a", "a.b", "a.b.c.d", "..", "a..c", "e30.e30.", ".e30.AA"])
    func `what is no compact token is refused`(_ token: String) throws {
        #expect(throws: Fault(.commandMalformed)) {
            try World.idp.receiver().verify(
                "idp://oauth2/v1.0/ping?command=\(token)", now: World.now, registry: { World.registry($0) })
        }
    }

    @Test(.rule("A162")) func `a refusal repeats no word of the command`() throws {
        let canary = "canary-7b1"
        let sound = try Samples.forge(.authresponse)
        let cases = [
            sound.with("code", .object(["x": .string(canary)])), sound.with("x", .string(canary)),
            sound.with(canary, "x"),
            sound.with("iss", .string(canary)), sound.with("jti", .string(canary)),
            sound.with("command", .string(canary)),
            sound.with("aud", .string("com.\(canary)")), sound.with { $0.header[canary] = .string(canary) },
            sound.with { $0.header["typ"] = .string(canary) },
            sound.with { $0.encryptionHeader[canary] = .string(canary) },
            sound.with { $0.header["kid"] = .string(canary) }, sound.with("irt", .string(canary)),
        ]
        for forge in cases {
            let fault = try #require(try forge.fault())
            #expect(!"\(fault) \(fault.nextStep) \(fault.detail ?? "")".contains(canary))
        }
    }
}
