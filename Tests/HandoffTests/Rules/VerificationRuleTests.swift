import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// Each rule by its name: what it refuses and with which code, the neighbour it lets through, and that the same
/// command passes where the rule is taken out of the list.
@Suite struct VerificationRuleTests {
    private func check(
        _ rule: String, refuses bad: Forge, as code: ErrorCode, besides neighbour: Forge, now: Timestamp = World.now,
        registry: (AppID) throws(Fault) -> Peer? = { id throws(Fault) in World.registry(id) },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let standard = VerificationRules.standard
        #expect(standard.list.contains { $0.name == rule }, sourceLocation: sourceLocation)
        #expect(try bad.refusal(now: now, registry: registry) == code, sourceLocation: sourceLocation)
        #expect(try neighbour.refusal(now: now, registry: registry) == nil, sourceLocation: sourceLocation)
        let weakened = standard.dangerouslyWithout(rule)
        #expect(weakened.list.count == standard.list.count - 1, sourceLocation: sourceLocation)
        #expect(try bad.refusal(weakened, now: now, registry: registry) == nil, sourceLocation: sourceLocation)
    }

    @Test(.rule("A030")) func `the standard list has every rule, in this order`() {
        #expect(
            VerificationRules.standard.list.map(\.name) == [
                "nesting", "header", "encryption-header", "sender", "signature", "recipient-key", "audience", "role",
                "path",
                "lifetime", "freshness", "reply",
            ])
    }

    @Test func `taking out a name that is no rule takes out nothing`() {
        let list = VerificationRules.standard.dangerouslyWithout("nothing").list
        #expect(list.map(\.name) == VerificationRules.standard.list.map(\.name))
    }

    @Test(.rule("nesting")) func `nesting: a personal command comes encrypted`() throws {
        let sound = try Samples.forge(.authresponse)
        let bare = sound.with("ekid", nil).with { $0.isNested = false }
        try check("nesting", refuses: bare, as: .commandNesting, besides: sound)
    }

    @Test(.rule("nesting")) func `nesting: no other command comes encrypted`() throws {
        let sound = try Samples.forge(.cancel)
        let nested = sound.with("ekid", .string(World.idp.encryption.thumbprint.value)).with { $0.isNested = true }
        try check("nesting", refuses: nested, as: .commandNesting, besides: sound)
    }

    @Test(.rule("header")) func `header: no member but typ, alg and kid`() throws {
        let sound = try Samples.forge(.ping)
        for name in ["jku", "jwk", "x5c", "x5u", "cty", "x"] {
            try check("header", refuses: sound.with { $0.header[name] = "x" }, as: .commandHeader, besides: sound)
        }
    }

    @Test(.rule("S14", "header")) func `header: typ says that it is a command`() throws {
        let sound = try Samples.forge(.ping)
        for type in [
            "JWT", "oauth-authz-req+jwt", "client-authentication+jwt", "dpop+jwt", "IDP-COMMAND+JWT",
            "idp-command+jwt ",
        ] {
            let bad = sound.with { $0.header["typ"] = .string(type) }
            try check("header", refuses: bad, as: .commandHeader, besides: sound)
        }
        try check("header", refuses: sound.with { $0.header["typ"] = nil }, as: .commandHeader, besides: sound)
    }

    @Test(.rule("header")) func `header: a signed part without kid is refused`() throws {
        let sound = try Samples.forge(.ping)
        let bad = sound.with { $0.header["kid"] = nil }
        #expect(try bad.refusal() == .commandHeader)
        // Without this rule the next one has no key to look up.
        #expect(try bad.refusal(VerificationRules.standard.dangerouslyWithout("header")) == .unknownKey)
    }

    @Test(.rule("encryption-header")) func `encryption-header: it names both apps and nothing more`() throws {
        let sound = try Samples.forge(.authrequest)
        func changed(_ name: String, _ value: JSONValue?) -> Forge { sound.with { $0.encryptionHeader[name] = value } }
        let other = JSONValue.string(Base64URL.encode(Digest.sha256(Array(World.otherClient.id.text.utf8))))
        for bad in [
            changed("apu", other), changed("apv", other), changed("apu", nil), changed("apv", nil), changed("cty", nil),
            changed("cty", "JWT"), changed("typ", "x"),
        ] {
            try check("encryption-header", refuses: bad, as: .undecryptable, besides: sound)
        }
    }

    @Test(.rule("S20", "sender")) func `sender: an app that is not registered is refused`() throws {
        let sound = try Forge(.ping(Samples.ping), from: World.client, to: World.idp)
        let bad = try Forge(.ping(Samples.ping), from: World.stranger, to: World.idp)
        #expect(try bad.refusal() == .unknownSender)
        #expect(try sound.refusal() == nil)
        // Without this rule the next one has no key to look up.
        #expect(try bad.refusal(VerificationRules.standard.dangerouslyWithout("sender")) == .unknownKey)
    }

    @Test(.rule("sender")) func `sender: a registry that answers with another app is not believed`() throws {
        let bad = try Forge(.ping(Samples.ping), from: World.client, to: World.idp)
            .with("iss", .string(World.otherClient.id.text))
        let sound = try Forge(.ping(Samples.ping), from: World.client, to: World.idp)
        try check(
            "sender", refuses: bad, as: .unknownSender, besides: sound, registry: { _ in World.client.peer })
    }

    @Test(.rule("S1", "signature")) func `signature: it holds under the sender's pinned key`() throws {
        let sound = try Samples.forge(.ping)
        let bad = sound.with { $0.signer = World.stranger.command }
        try check("signature", refuses: bad, as: .commandSignature, besides: sound)
    }

    @Test(.rule("S30", "signature")) func `signature: a kid is looked up under its sender and never alone`() throws {
        let sound = try Forge(.ping(Samples.ping), from: World.otherClient, to: World.idp)
        let bad = try Forge(.ping(Samples.ping), from: World.client, to: World.idp).with {
            $0.signer = World.otherClient.command
            $0.header["kid"] = .string(World.otherClient.command.keyID)
        }
        try check("signature", refuses: bad, as: .unknownKey, besides: sound)
    }

    @Test(.rule("recipient-key")) func `recipient-key: the signed part names the key that opened it`() throws {
        let sound = try Samples.forge(.authrequest)
        for bad in [
            sound.with("ekid", .string(World.otherIDP.encryption.thumbprint.value)), sound.with("ekid", nil),
            sound.with("ekid", .string(World.idp.command.thumbprint.value)),
        ] {
            try check("recipient-key", refuses: bad, as: .commandRecipientKey, besides: sound)
        }
    }

    @Test(.rule("recipient-key")) func `recipient-key: what is signed only names no key`() throws {
        let sound = try Samples.forge(.ping)
        let bad = sound.with("ekid", .string(World.idp.encryption.thumbprint.value))
        try check("recipient-key", refuses: bad, as: .commandRecipientKey, besides: sound)
    }

    @Test(.rule("S15", "M6", "audience")) func `audience: a command for another app is refused`() throws {
        let sound = try Samples.forge(.ping)
        for other in [World.otherIDP.id.text, World.client.id.text, World.idp.id.text + "x", "com.example.IDP"] {
            try check("audience", refuses: sound.with("aud", .string(other)), as: .commandAudience, besides: sound)
        }
    }

    @Test(.rule("audience")) func `audience: a nested command is for one app alone`() throws {
        // Encrypted to this app with the other one's name inside: both places name the wrong app.
        let sound = try Samples.forge(.authrequest)
        let bad = sound.with("aud", .string(World.otherIDP.id.text)).with {
            $0.encryptionHeader["apv"] = .string(Base64URL.encode(Digest.sha256(Array(World.otherIDP.id.text.utf8))))
        }
        try check("audience", refuses: bad, as: .commandAudience, besides: sound)
    }

    @Test(.rule("S15", "M7", "role"), arguments: [CommandName.authresponse, .idpinit, .idpauthcodeinit])
    func `role: a client sends no command of an identity provider app`(_ name: CommandName) throws {
        let irt = name.isAnswer ? World.commandID(3) : nil
        let bad = try Forge(Samples.command(name), from: World.client, to: World.idp, inReplyTo: irt)
        try check("role", refuses: bad, as: .commandRole, besides: try Samples.forge(name))
    }

    @Test(.rule("S15", "role"), arguments: [CommandName.authrequest, .authack])
    func `role: an identity provider app sends no command of a client`(_ name: CommandName) throws {
        let irt = name.isAnswer ? World.commandID(3) : nil
        let bad = try Forge(Samples.command(name), from: World.idp, to: World.client, inReplyTo: irt)
        try check("role", refuses: bad, as: .commandRole, besides: try Samples.forge(name))
    }

    @Test(.rule("role"), arguments: [CommandName.ping, .pong, .cancel, .error, .logout, .logoutack])
    func `role: two apps of one role have nothing to say to each other`(_ name: CommandName) throws {
        let irt = name.isAnswer ? World.commandID(3) : nil
        let bad = try Forge(Samples.command(name), from: World.client, to: World.otherClient, inReplyTo: irt)
        let back = try Forge(Samples.command(name), from: World.idp, to: World.client, inReplyTo: irt)
        try check("role", refuses: bad, as: .commandRole, besides: back)
    }

    @Test(.rule("S15", "role")) func `role: an app's own command comes back to it in vain`() throws {
        // Reflection: the client's request, sealed to the client.
        let bad = try Forge(Samples.command(.authrequest), from: World.client, to: World.client)
        try check("role", refuses: bad, as: .commandRole, besides: try Samples.forge(.authrequest))
    }

    @Test(.rule("S13", "path")) func `path: the command that was signed is the one in the path`() throws {
        let sound = try Samples.forge(.cancel)
        for other in [CommandName.ping] {
            let bad = sound.with { $0.path = other.rawValue }
            try check("path", refuses: bad, as: .commandShape, besides: sound)
        }
        let nested = try Samples.forge(.idpinit)
        let bad = nested.with { $0.path = CommandName.idpauthcodeinit.rawValue }
        try check("path", refuses: bad, as: .commandShape, besides: nested)
    }

    @Test(.rule("lifetime")) func `lifetime: exp is at most 60 s after iat`() throws {
        let sound = try Samples.forge(.ping)
        let iat = World.now.seconds
        for bad in [iat + 61, iat + 3_600, 1 << 40] {
            try check("lifetime", refuses: sound.with("exp", .integer(bad)), as: .commandLifetime, besides: sound)
        }
    }

    @Test(.rule("lifetime")) func `lifetime: exp is after iat`() throws {
        let sound = try Samples.forge(.ping)
        let iat = World.now.seconds
        let neighbour = sound.with("exp", .integer(iat + 1))
        for bad in [iat, iat - 1, iat - 29] {
            try check("lifetime", refuses: sound.with("exp", .integer(bad)), as: .commandLifetime, besides: neighbour)
        }
    }

    @Test(.rule("freshness")) func `freshness: exp has not passed, give or take 30 s`() throws {
        let sound = try Samples.forge(.ping)
        let iat = World.now.seconds
        // Expired at −30 s to the microsecond; one second later in exp is taken.
        let bad = sound.with("iat", .integer(iat - 60)).with("exp", .integer(iat - 30))
        let neighbour = sound.with("iat", .integer(iat - 60)).with("exp", .integer(iat - 29))
        try check("freshness", refuses: bad, as: .commandExpired, besides: neighbour)
    }

    @Test(.rule("freshness")) func `freshness: iat is not in the future, give or take 30 s`() throws {
        let sound = try Samples.forge(.ping)
        let iat = World.now.seconds
        let bad = sound.with("iat", .integer(iat + 31)).with("exp", .integer(iat + 91))
        let neighbour = sound.with("iat", .integer(iat + 30)).with("exp", .integer(iat + 90))
        try check("freshness", refuses: bad, as: .commandNotYetValid, besides: neighbour)
    }

    @Test(.rule("A153", "reply"), arguments: [CommandName.authresponse, .error, .authack, .logoutack, .pong])
    func `reply: an answer says what it answers`(_ name: CommandName) throws {
        let sound = try Samples.forge(name)
        try check("reply", refuses: sound.with("irt", nil), as: .commandUncorrelated, besides: sound)
    }

    @Test(.rule("reply"), arguments: [CommandName.authrequest, .idpinit, .idpauthcodeinit, .cancel, .logout, .ping])
    func `reply: what begins something answers nothing, and may`(_ name: CommandName) throws {
        let sound = try Samples.forge(name)
        #expect(try sound.refusal() == nil)
        #expect(try sound.with("irt", .string(World.commandID(3).text)).refusal() == nil)
    }

    @Test(.rule("A030")) func `the first rule in the list that refuses gives the code`() throws {
        // Wrong in every respect: each rule taken out gives the floor to the next.
        let bad = try Forge(
            .pong(Pong(nonce: "a", version: "v1.0", encryptionKeyID: "k")), from: World.client, to: World.otherClient
        )
        .with("aud", .string(World.idp.id.text)).with("exp", .integer(World.now.seconds - 4_000))
        .with {
            $0.signer = World.stranger.command
            $0.header["x"] = "y"
        }
        var rules = VerificationRules.standard
        let order: [(String, ErrorCode)] = [
            ("header", .commandHeader), ("signature", .commandSignature), ("audience", .commandAudience),
            ("role", .commandRole),
            ("lifetime", .commandLifetime), ("freshness", .commandExpired), ("reply", .commandUncorrelated),
        ]
        for (name, code) in order {
            #expect(try bad.refusal(rules) == code)
            rules = rules.dangerouslyWithout(name)
        }
        #expect(try bad.refusal(rules) == nil)
    }

    @Test func `a URL that is not ours is nil under any rules, and no registry is asked`() throws {
        let receiver = World.idp.receiver()
        for url in ["http://test/test", "myapp://test/test/code=666", "notes://oauth2/v1.0/ping?command=a.b.c"] {
            #expect(!receiver.claims(url))
            let read = try receiver.verify(url, now: World.now) { _ throws(Fault) in throw Fault(.internalFault) }
            #expect(read == nil)
        }
        #expect(receiver.claims("idp://oauth2/v1.0/ping"))
    }

    @Test func `a registry that fails refuses the command`() throws {
        let sound = try Samples.forge(.ping)
        #expect(try sound.refusal(registry: { _ throws(Fault) in throw Fault(.internalFault) }) == .internalFault)
        #expect(try sound.refusal() == nil)
    }
}
