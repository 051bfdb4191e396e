import Basics
import JOSE
import Testing

@Suite struct VerificationKeyTests {
    private let ec = Keys.es256.verificationKey.jwk
    private let rsa = Keys.rs256.verificationKey.jwk

    private func bare(_ jwk: JWK) -> JWK { jwk.with(use: nil, algorithm: nil, keyID: nil) }

    @Test func `a key serves the algorithm that its use, alg and type allow`() throws {
        #expect(try VerificationKey(ec, algorithm: .es256).keyID == Keys.es256.keyID)
        #expect(try VerificationKey(bare(ec), algorithm: .es256).keyID == Keys.es256.keyID)
        #expect(
            try VerificationKey(bare(ec).with(use: .sig, algorithm: nil, keyID: "a"), algorithm: .es256).keyID == "a")
        #expect(throws: Fault(.unfitKey)) {
            try VerificationKey(ec.with(use: .enc, algorithm: nil, keyID: nil), algorithm: .es256)
        }
        #expect(throws: Fault(.unfitKey)) {
            try VerificationKey(ec.with(use: .sig, algorithm: "ES384", keyID: nil), algorithm: .es256)
        }
    }

    @Test func `an RSA key serves the one RSA algorithm it names`() throws {
        #expect(try VerificationKey(bare(rsa), algorithm: .ps256).algorithm == .ps256)
        #expect(throws: Fault(.unfitKey)) { try VerificationKey(rsa, algorithm: .ps256) }
    }

    @Test func `type and algorithm must fit`() {
        for (jwk, algorithm) in [(ec, .rs256), (ec, .edDSA), (rsa, .es256), (Keys.edDSA.verificationKey.jwk, .es256)]
            as [(JWK, SignatureAlgorithm)]
        {
            #expect(throws: Fault(.unfitKey)) { try VerificationKey(bare(jwk), algorithm: algorithm) }
        }
    }

    @Test func `key_ops must allow verifying where they are there`() throws {
        #expect(
            try VerificationKey(JWK(ec.json.with(["key_ops": ["verify"]])), algorithm: .es256)
                == Keys.es256.verificationKey)
        #expect(throws: Fault(.unfitKey)) {
            try VerificationKey(JWK(ec.json.with(["key_ops": ["encrypt"]])), algorithm: .es256)
        }
    }

    @Test func `a point that is not on the curve is no key`() throws {
        let x = try #require(ec.json["x"])
        #expect(throws: Fault(.unfitKey)) {
            try VerificationKey(JWK(ec.json.with(["y": x])), algorithm: .es256)
        }
        let zero = JSONValue.string(Base64URL.encode([UInt8](repeating: 0, count: 32)))
        #expect(throws: Fault(.unfitKey)) {
            try VerificationKey(JWK(ec.json.with(["x": zero, "y": zero])), algorithm: .es256)
        }
    }

    @Test func `an RSA key under 2048 or over 8192 bits is refused`() throws {
        func key(bytes count: Int, first: UInt8) throws -> JWK {
            let modulus = [first] + [UInt8](repeating: 0xA5, count: count - 1)
            return try JWK(["kty": "RSA", "e": "AQAB", "n": .string(Base64URL.encode(modulus))])
        }
        #expect(try VerificationKey(try key(bytes: 256, first: 0x80), algorithm: .rs256).jwk.keyType == "RSA")
        #expect(throws: Fault(.unfitKey)) { try VerificationKey(try key(bytes: 256, first: 0x7F), algorithm: .rs256) }
        #expect(throws: Fault(.unfitKey)) { try VerificationKey(try key(bytes: 1025, first: 1), algorithm: .rs256) }
    }

    @Test(arguments: ["AQ", "Ag", "AQAA", "AQAAAAAAAAAB"])
    func `an RSA exponent that is 1, even or long is refused`(exponent: String) throws {
        #expect(throws: Fault(.unfitKey)) {
            try VerificationKey(JWK(bare(rsa).json.with(["e": .string(exponent)])), algorithm: .rs256)
        }
    }

    @Test func `keys are equal by thumbprint and algorithm`() throws {
        #expect(try VerificationKey(bare(ec), algorithm: .es256) == Keys.es256.verificationKey)
        #expect(try VerificationKey(bare(rsa), algorithm: .ps256) != Keys.rs256.verificationKey)
        #expect(Set([Keys.es256.verificationKey, try VerificationKey(bare(ec), algorithm: .es256)]).count == 1)
    }
}
