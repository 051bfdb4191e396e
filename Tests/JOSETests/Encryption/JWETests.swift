import Basics
import Testing

@testable import JOSE

@Suite struct JWETests {
    private let receiver: DecryptionKey

    init() throws { receiver = try DecryptionKey.generate() }

    @Test func `Alice and Bob of RFC 7518 C agree on one key`() throws {
        let alice = try DecryptionKey(privateJWK: Secret(RFCVectors.aliceKey))
        let bob = try DecryptionKey(privateJWK: Secret(RFCVectors.bobKey))
        let secret = try #require(alice.key.sharedSecret(with: bob.encryptionKey.key))
        #expect(bob.key.sharedSecret(with: alice.encryptionKey.key) == secret)
        #expect(Hex.encode(secret).hasPrefix("9e56d91d817135d372834283bf84269c"))
        let key = KeyDerivation.concatSHA256(
            sharedSecret: secret, algorithm: "A128GCM", partyU: utf8("Alice"), partyV: utf8("Bob"), keyBits: 128)
        #expect(Base64URL.encode(key) == "VqqN6vgjbSBcIijNcacQGg")
    }

    @Test func `a token opens with the receiver's key alone`() throws {
        let token = try JWE.encrypt(utf8("secret"), header: ["cty": "test+jwt"], to: receiver.encryptionKey)
        let unopened = try UnverifiedJWE(compact: token)
        #expect(try unopened.decrypted(by: receiver) == utf8("secret"))
        #expect(unopened.keyID == receiver.thumbprint.value)
        #expect(Set(unopened.header.keys) == ["alg", "enc", "epk", "kid", "cty"])
        #expect(unopened.header["alg"] == "ECDH-ES" && unopened.header["enc"] == "A256GCM")
        let other = try DecryptionKey.generate()
        #expect(throws: Fault(.undecryptable)) { try unopened.decrypted(by: other) }
    }

    @Test func `an empty text is sealed too`() throws {
        let token = try JWE.encrypt([], header: [:], to: receiver.encryptionKey)
        #expect(try UnverifiedJWE(compact: token).decrypted(by: receiver).isEmpty)
    }

    @Test func `apu and apv enter the key`() throws {
        let header: [String: JSONValue] = ["apu": "QWxpY2U", "apv": "Qm9i", "kid": "mine"]
        let token = try JWE.encrypt([5], header: header, to: receiver.encryptionKey)
        #expect(try UnverifiedJWE(compact: token).decrypted(by: receiver) == [5])
        #expect(try UnverifiedJWE(compact: token).keyID == "mine")
        let keys = try [header, ["apu": "QWxpY2U"], ["apv": "QWxpY2U"], [:]].map {
            try JWE.contentKey(sharedSecret: [1], header: $0)
        }
        #expect(Set(keys).count == 4)
        #expect(throws: Fault(.invalidBase64URL)) {
            try JWE.encrypt([5], header: ["apu": "not base64"], to: receiver.encryptionKey)
        }
    }

    @Test(arguments: [0, 2, 3, 4])
    func `a change in any part has the one code`(part: Int) throws {
        // Within a string of the header, so that it stays JSON.
        let token = try JWE.encrypt(utf8("secret"), header: ["cty": "aaaaaaaaaaaa"], to: receiver.encryptionKey)
        var changed = tampered(token, part: part)
        if part == 0 {
            let header = try UnverifiedJWE(compact: token).header
            let text = Base64URL.encode(JSONValue.object(header).with(["cty": "b"]).serialized())
            changed = text + token.drop { $0 != "." }
        }
        #expect(throws: Fault(.undecryptable)) { try UnverifiedJWE(compact: changed).decrypted(by: receiver) }
    }

    @Test(
        arguments: [
            ["alg": "ECDH-ES+A256KW"], ["enc": "A128GCM"], ["zip": "DEF"], ["epk": .null], ["epk": "text"],
            ["apu": 1], ["apv": "=="],
        ] as [[String: JSONValue]])
    func `another algorithm, compression or no ephemeral key has the one code`(changes: [String: JSONValue]) throws {
        let token = try JWE.encrypt(utf8("secret"), header: [:], to: receiver.encryptionKey)
        let header = JSONValue.object(try UnverifiedJWE(compact: token).header).with(changes)
        let changed = Base64URL.encode(header.serialized()) + token.drop { $0 != "." }
        #expect(throws: Fault(.undecryptable)) { try UnverifiedJWE(compact: changed).decrypted(by: receiver) }
    }

    @Test func `an encrypted key where none belongs is refused`() throws {
        let token = try JWE.encrypt(utf8("secret"), header: [:], to: receiver.encryptionKey)
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        #expect(parts[1].isEmpty)
        parts[1] = "AAAA"
        #expect(throws: Fault(.undecryptable)) {
            try UnverifiedJWE(compact: parts.joined(separator: ".")).decrypted(by: receiver)
        }
    }

    @Test func `every refusal to decrypt reads the same`() throws {
        let token = try JWE.encrypt(utf8("secret"), header: [:], to: receiver.encryptionKey)
        var texts: Set<String> = []
        for changed in [tampered(token, part: 2), tampered(token, part: 3), tampered(token, part: 4)] {
            do {
                _ = try UnverifiedJWE(compact: changed).decrypted(by: receiver)
            } catch {
                texts.insert("\(error)|\(error.nextStep)|\(error.detail ?? "-")")
            }
        }
        #expect(texts.count == 1)
    }

    @Test func `four parts are no JWE, and a JWS is none`() throws {
        #expect(throws: Fault(.malformedToken)) { try UnverifiedJWE(compact: "eyJhbGciOiJFQ0RILUVTIn0..AA.AA") }
        #expect(throws: Fault(.malformedToken)) { try UnverifiedJWE(compact: RFCVectors.es256Token) }
        #expect(try UnverifiedJWE(compact: "eyJhbGciOiJFQ0RILUVTIn0..AA.AA.AA").header["alg"] == "ECDH-ES")
    }
}
