import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// Nested commands: what opens them, and that a failure says nothing.
@Suite struct EncryptionTests {
    private func fault(_ forge: Forge, token: String) throws -> Fault? {
        do throws(Fault) {
            _ = try forge.receiver.receiver().verify(
                forge.url(token: token), now: World.now, registry: { World.registry($0) })
            return nil
        } catch {
            return error
        }
    }

    private func fault(_ forge: Forge) throws -> Fault? {
        try fault(forge, token: try forge.wrapped(try forge.signed()))
    }

    @Test func `all failures of decryption have one code and one text`() throws {
        let sound = try Samples.forge(.authrequest)
        #expect(try fault(sound) == nil)
        let token = try sound.wrapped(try sound.signed())
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        func exchanged(_ part: Int, _ text: String) -> String {
            var parts = parts
            parts[part] = text
            return parts.joined(separator: ".")
        }
        func header(_ change: (inout [String: JSONValue]) -> Void) throws -> String {
            var members = try UnverifiedJWE(compact: token).header
            change(&members)
            return exchanged(0, Base64URL.encode(JSONValue.object(members).serialized()))
        }
        let faults = [
            // Another key, under the right name and under its own.
            try fault(sound.with { $0.encryptedTo = World.otherIDP.encryption.encryptionKey }),
            try fault(
                sound.with {
                    $0.encryptedTo = World.otherIDP.encryption.encryptionKey
                    $0.encryptionHeader["kid"] = .string(World.otherIDP.encryption.thumbprint.value)
                }),
            try fault(sound, token: exchanged(0, "AAAA")), try fault(sound, token: exchanged(0, "")),
            try fault(sound, token: exchanged(1, "AAAA")), try fault(sound, token: exchanged(2, "AAAA")),
            try fault(sound, token: exchanged(3, "AAAA")), try fault(sound, token: exchanged(3, "")),
            try fault(sound, token: exchanged(3, "A")), try fault(sound, token: exchanged(4, "AAAA")),
            try fault(sound, token: exchanged(4, "")), try fault(sound, token: "...."),
            try fault(sound, token: try header { $0["alg"] = "dir" }),
            try fault(sound, token: try header { $0["alg"] = nil }),
            try fault(sound, token: try header { $0["enc"] = "A128GCM" }),
            try fault(sound, token: try header { $0["zip"] = "DEF" }),
            try fault(sound, token: try header { $0["crit"] = ["x"] }),
            try fault(sound, token: try header { $0["kid"] = nil }),
            try fault(sound, token: try header { $0["kid"] = 1 }),
            try fault(sound, token: try header { $0["epk"] = nil }),
            try fault(sound, token: try header { $0["epk"] = [] }),
            try fault(sound, token: try header { $0["epk"] = ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"] }),
            try fault(sound, token: try header { $0["apu"] = "!" }),
            try fault(sound, token: try header { $0["apv"] = nil }),
            // Well encrypted, with a header that is not the one.
            try fault(sound.with { $0.encryptionHeader["cty"] = "JWT" }),
            try fault(sound.with { $0.encryptionHeader["cty"] = nil }),
            try fault(sound.with { $0.encryptionHeader["x"] = "y" }),
            try fault(sound.with { $0.encryptionHeader["apu"] = nil }),
            try fault(sound.with { $0.encryptionHeader["apu"] = $0.encryptionHeader["apv"] }),
            // Well encrypted, and no text.
            try fault(
                sound, token: try JWE.encrypt([0xFF, 0xFE], header: sound.encryptionHeader, to: sound.encryptedTo)),
        ]
        let plain = Fault(.undecryptable)
        for (place, fault) in faults.enumerated() {
            #expect(fault?.code == .undecryptable, "case \(place)")
            #expect(fault?.text == plain.text, "case \(place)")
            #expect(fault?.nextStep == plain.nextStep, "case \(place)")
            #expect(fault?.detail == nil, "case \(place)")
            #expect(fault?.underlying == nil, "case \(place)")
        }
    }

    @Test(.rule("S30")) func `a command is opened by the key that its kid names, of several`() throws {
        let older = try DecryptionKey.generate()
        let sound = try Samples.forge(.authrequest)
        func read(_ keys: [DecryptionKey]) throws -> VerifiedCommand? {
            let receiver = CommandReceiver(
                id: World.idp.id, role: .identityProvider, schemes: ["idp"], decryptionKeys: keys)
            return try receiver.verify(try sound.url(), now: World.now, registry: { World.registry($0) })
        }
        #expect(try read([older, World.idp.encryption]) != nil)
        #expect(throws: Fault(.undecryptable)) { try read([older]) }
        #expect(throws: Fault(.undecryptable)) { try read([]) }
    }

    @Test(.rule("S3"), arguments: [CommandName.authrequest, .authresponse, .idpinit, .idpauthcodeinit, .logout])
    func `a bare personal command is refused`(_ name: CommandName) throws {
        let sound = try Samples.forge(name)
        #expect(try sound.refusal() == nil)
        #expect(try sound.with { $0.isNested = false }.refusal() == .commandNesting)
        #expect(try sound.with("ekid", nil).with { $0.isNested = false }.refusal() == .commandNesting)
    }

    @Test(arguments: [CommandName.error, .authack, .cancel, .logoutack, .ping, .pong])
    func `a nested command that is not personal is refused`(_ name: CommandName) throws {
        let sound = try Samples.forge(name)
        #expect(try sound.refusal() == nil)
        let nested = sound.with("ekid", .string(sound.receiver.encryption.thumbprint.value)).with { $0.isNested = true }
        #expect(try nested.refusal() == .commandNesting)
    }

    @Test func `two layers of encryption are one too many`() throws {
        let sound = try Samples.forge(.authrequest)
        let twice = try sound.wrapped(try sound.wrapped(try sound.signed()))
        #expect(try fault(sound, token: twice)?.code == .commandMalformed)
    }

    @Test func `a signature around an encryption is refused`() throws {
        let sound = try Samples.forge(.authrequest)
        let inner = try sound.wrapped(try sound.signed())
        let outer = try JWS.sign(Array(inner.utf8), header: sound.header, by: sound.signer)
        #expect(try fault(sound, token: outer)?.code == .commandMalformed)
    }

    @Test func `a receiver cannot seal a command again to somebody else`() throws {
        // The identity provider app opens a request, and passes the signed part on to another one.
        let sound = try Samples.forge(.authrequest)
        let stolen = try sound.signed()
        var passedOn = try Forge(Samples.command(.authrequest), from: World.client, to: World.otherIDP)
        #expect(try fault(passedOn) == nil)
        #expect(try fault(passedOn, token: try passedOn.wrapped(stolen))?.code == .undecryptable)
        // With a header that fits what was signed, the key named inside still does not.
        let fitting = passedOn.with { $0.encryptionHeader["apv"] = sound.encryptionHeader["apv"] }
        #expect(try fault(fitting, token: try fitting.wrapped(stolen))?.code == .commandRecipientKey)
        // Even where the signer named the wrong audience itself.
        passedOn.claims["ekid"] = .string(World.idp.encryption.thumbprint.value)
        #expect(try fault(passedOn)?.code == .commandRecipientKey)
    }

    @Test func `an unverified command prints nothing of what it decrypted`() throws {
        let sound = try Samples.forge(.authresponse)
        let url = try #require(try CommandURL(try sound.url(), schemes: ["notes"]))
        let command = try UnverifiedCommand(url, decryptionKeys: [World.client.encryption])
        for text in ["\(command)", String(reflecting: command)] {
            #expect(!text.contains("the-code") && !text.contains("the-state"))
            #expect(!text.contains(command.signedPart.compact) && !text.contains(url.token))
        }
    }
}
