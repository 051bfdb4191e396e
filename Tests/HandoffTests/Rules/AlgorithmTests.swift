import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// The algorithm is pinned with the key; a token does not choose it (RFC 8725 §3.1).
@Suite struct AlgorithmTests {
    private func refusal(_ forge: Forge, token: String) throws -> ErrorCode? {
        try HandoffTests.refusal {
            _ = try forge.receiver.receiver().verify(
                forge.url(token: token), now: World.now, registry: { World.registry($0) })
        }
    }

    @Test func `ES256, EdDSA and PS256 are taken where they are pinned`() throws {
        for sender in [World.client, World.edDSA, World.ps256] {
            #expect(try Forge(.ping(Samples.ping), from: sender, to: World.idp).refusal() == nil)
        }
    }

    @Test(
        .rule("S14"),
        arguments: ["none", "None", "NONE", "nOnE", "", "es256", "ES256 ", "ES384", "HS256", "RS256", "ECDH-ES"])
    func `another name of an algorithm is refused, with and without a signature`(_ name: String) throws {
        let sound = try Samples.forge(.ping)
        let header = sound.header.merging(["alg": .string(name)]) { _, new in new }
        for signature: [UInt8] in [[], [0], [UInt8](repeating: 0, count: 64)] {
            #expect(try refusal(sound, token: sound.signed(header: header) { _ in signature }) == .commandSignature)
        }
        // Signed by the right key over the wrong name, the signature itself is sound.
        let token = sound.signed(header: header) { (try? sound.signer.sign($0)) ?? [] }
        #expect(try refusal(sound, token: token) == .commandSignature)
    }

    @Test func `a public key is no secret of an HMAC`() throws {
        let sound = try Samples.forge(.ping)
        let header = sound.header.merging(["alg": "HS256"]) { _, new in new }
        let jwk = sound.signer.verificationKey.jwk.json
        let secrets = [
            jwk.serialized(), Array(sound.signer.keyID.utf8),
            try Base64URL.decode(jwk["x"]?.stringValue ?? "") + Base64URL.decode(jwk["y"]?.stringValue ?? ""), [],
        ]
        for secret in secrets {
            let token = sound.signed(header: header) { MessageAuthentication.hmacSHA256(key: secret, $0) }
            #expect(try refusal(sound, token: token) == .commandSignature)
        }
    }

    @Test(.rule("S14")) func `a key that is pinned for one algorithm signs with no other`() throws {
        let rsa = World.ps256.command
        let asRS256 = try SigningKey(privateJWK: try bare(rsa), algorithm: .rs256)
        let sound = try Forge(.ping(Samples.ping), from: World.ps256, to: World.idp)
        #expect(asRS256.thumbprint == rsa.thumbprint)
        #expect(try sound.refusal() == nil)
        #expect(try sound.with { $0.signer = asRS256 }.refusal() == .commandSignature)

        let other = try SigningKey(privateJWK: try bare(World.rs256.command), algorithm: .ps256)
        let pinnedRS256 = try Forge(.ping(Samples.ping), from: World.rs256, to: World.idp)
        #expect(try pinnedRS256.with { $0.signer = other }.refusal() == .commandSignature)
    }

    @Test func `a signature of one algorithm is none of another`() throws {
        let senders = [World.client, World.edDSA, World.ps256, World.rs256]
        for pinned in senders {
            let sound = try Forge(.ping(Samples.ping), from: pinned, to: World.idp)
            for signer in senders where signer.id != pinned.id {
                // Its own name of the algorithm, then the pinned one over its own signature.
                let bad = sound.with { $0.signer = signer.command }
                #expect(try bad.refusal() == .commandSignature)
                let header = sound.header.merging(["alg": .string(pinned.command.algorithm.rawValue)]) { _, new in new }
                let token = sound.signed(header: header) { (try? signer.command.sign($0)) ?? [] }
                #expect(try refusal(sound, token: token) == .commandSignature)
            }
        }
    }

    @Test func `a key that the token brings along is not looked at`() throws {
        let sound = try Samples.forge(.ping)
        let bad = sound.with {
            $0.signer = World.stranger.command
            $0.header["jwk"] = World.stranger.command.verificationKey.jwk.json
        }
        #expect(try bad.refusal() == .commandHeader)
        // Without the rule on headers it is still the pinned key that decides.
        #expect(try bad.refusal(VerificationRules.standard.dangerouslyWithout("header")) == .commandSignature)
    }

    @Test func `crit and b64 are not understood, and so refused`() throws {
        let sound = try Samples.forge(.ping)
        #expect(try sound.with { $0.header["crit"] = ["exp"] }.refusal() == .commandMalformed)
        #expect(try sound.with { $0.header["b64"] = false }.refusal() == .commandMalformed)
    }

    @Test(.rule("S30", "M8")) func `an old key and a new one may both be pinned for a while`() throws {
        let old = World.client.command
        let new = try SigningKey.generate(.es256)
        let both = Peer(
            id: World.client.id, role: .client, displayName: "Notes", scheme: "notes",
            commandKeys: [new.verificationKey, old.verificationKey],
            encryptionKey: World.client.encryption.encryptionKey)
        let fromOld = try Samples.forge(.ping)
        let fromNew = fromOld.with {
            $0.signer = new
            $0.header["kid"] = .string(new.keyID)
        }
        #expect(try fromOld.refusal(registry: { _ in both }) == nil)
        #expect(try fromNew.refusal(registry: { _ in both }) == nil)
        #expect(try fromNew.refusal() == .unknownKey)
        // The new key under the old one's id.
        #expect(try fromOld.with { $0.signer = new }.refusal(registry: { _ in both }) == .commandSignature)
    }

    @Test func `a kid is compared byte by byte`() throws {
        // U+212A KELVIN SIGN equals K for Swift's == on texts.
        var key = try SigningKey.generate(.es256)
        while !key.keyID.contains("K") { key = try SigningKey.generate(.es256) }
        let peer = Peer(
            id: World.client.id, role: .client, displayName: "Notes", scheme: "notes",
            commandKeys: [key.verificationKey],
            encryptionKey: World.client.encryption.encryptionKey)
        let sound = try Samples.forge(.ping).with {
            $0.signer = key
            $0.header["kid"] = .string(key.keyID)
        }
        let kelvin = String(key.keyID.map { $0 == "K" ? "\u{212A}" : $0 })
        #expect(kelvin == key.keyID)
        #expect(try sound.refusal(registry: { _ in peer }) == nil)
        #expect(try sound.with { $0.header["kid"] = .string(kelvin) }.refusal(registry: { _ in peer }) == .unknownKey)
    }

    /// The key without its words, so that it can be taken for another algorithm.
    private func bare(_ key: SigningKey) throws -> Secret<String> {
        var members = try JSONValue(parsing: try key.privateJWK().unmasked).objectValue ?? [:]
        members["alg"] = nil
        return Secret(JSONValue.object(members).serializedText)
    }
}
