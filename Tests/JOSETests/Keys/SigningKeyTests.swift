import Basics
import JOSE
import Testing

@Suite struct SigningKeyTests {
    @Test(arguments: SignatureAlgorithm.allCases)
    func `a key signs what its public half verifies, and nothing else`(algorithm: SignatureAlgorithm) throws {
        let key = Keys.signing(algorithm)
        let signature = try key.sign(utf8("message"))
        #expect(key.verificationKey.isValid(signature, for: utf8("message")))
        #expect(!key.verificationKey.isValid(signature, for: utf8("massage")))
        #expect(
            !key.verificationKey.isValid(
                signature.dropLast() + [signature[signature.count - 1] ^ 1], for: utf8("message")))
        #expect(!key.verificationKey.isValid([], for: utf8("message")))
        let other = try SigningKey.generate(.es256)
        #expect(!other.verificationKey.isValid(signature, for: utf8("message")))
    }

    @Test func `an ES256 signature is 64 bytes, never DER`() throws {
        for number in 0..<200 { #expect(try Keys.es256.sign([UInt8(number)]).count == 64) }
        // The token of RFC 7515 A.3 with its signature written in DER.
        let raw = try Keys.es256.sign([1])
        #expect(!Keys.es256.verificationKey.isValid([0x30, 0x44, 0x02, 0x20] + raw, for: [1]))
        #expect(!Keys.es256.verificationKey.isValid(raw + [0], for: [1]))
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a private key comes back from its JWK`(algorithm: SignatureAlgorithm) throws {
        let key = Keys.signing(algorithm)
        let stored = try key.privateJWK()
        let restored = try SigningKey(privateJWK: stored, algorithm: algorithm)
        #expect(restored.thumbprint == key.thumbprint)
        #expect(restored.verificationKey == key.verificationKey)
        #expect(key.verificationKey.isValid(try restored.sign([1, 2]), for: [1, 2]))
        #expect(try restored.privateJWK() == stored)
        #expect("\(stored)" == "••••••••")
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `the public half names use, algorithm and thumbprint, and nothing private`(algorithm: SignatureAlgorithm)
        throws
    {
        let key = Keys.signing(algorithm)
        let jwk = key.verificationKey.jwk
        #expect(jwk.use == .sig && jwk.algorithm == algorithm.rawValue && jwk.keyID == key.thumbprint.value)
        #expect(key.keyID == key.thumbprint.value)
        #expect(try JWK(jwk.json) == jwk)
    }

    @Test func `the keys of the RFCs are read`() throws {
        for (text, algorithm) in [
            (RFCVectors.rs256Key, .rs256), (RFCVectors.rs256Key, .ps256), (RFCVectors.es256Key, .es256),
            (RFCVectors.edDSAKey, .edDSA), (RFCVectors.privateRSAKey, .rs256),
        ] as [(String, SignatureAlgorithm)] {
            let key = try SigningKey(privateJWK: Secret(text), algorithm: algorithm)
            #expect(key.verificationKey.isValid(try key.sign([9]), for: [9]))
        }
    }

    @Test func `a private part that belongs to another key is refused`() throws {
        for (algorithm, name) in [(.es256, "d"), (.edDSA, "d"), (.rs256, "d"), (.rs256, "p")]
            as [(SignatureAlgorithm, String)]
        {
            let own = try JSONValue(parsing: try Keys.signing(algorithm).privateJWK().unmasked)
            let other = try JSONValue(parsing: try SigningKey.generate(algorithm).privateJWK().unmasked)
            let mixed = Secret(own.with([name: other[name] ?? .null]).serializedText)
            #expect(throws: Fault(.invalidKey)) { try SigningKey(privateJWK: mixed, algorithm: algorithm) }
        }
    }

    @Test func `a private JWK is refused where it is public, broken or more than one key`() throws {
        let own = try JSONValue(parsing: try Keys.es256.privateJWK().unmasked)
        for broken in [own.with(["d": .null]), own.with(["d": "AQ"]), own.with(["k": "AQ"]), own.with(["p": "AQ"])] {
            #expect(throws: Fault(.invalidKey)) {
                try SigningKey(privateJWK: Secret(broken.serializedText), algorithm: .es256)
            }
        }
        #expect(throws: Fault(.invalidKey)) { try SigningKey(privateJWK: Secret("{"), algorithm: .es256) }
    }

    @Test func `a private JWK that says another use or algorithm is refused`() throws {
        let own = try JSONValue(parsing: try Keys.es256.privateJWK().unmasked)
        let silent = own.with(["use": .null, "alg": .null, "kid": .null])
        #expect(try SigningKey(privateJWK: Secret(silent.serializedText), algorithm: .es256).keyID == Keys.es256.keyID)
        for unfit in [own.with(["use": "enc"]), own.with(["alg": "RS256"]), own.with(["key_ops": ["deriveKey"]])] {
            #expect(throws: Fault(.unfitKey)) {
                try SigningKey(privateJWK: Secret(unfit.serializedText), algorithm: .es256)
            }
        }
        #expect(throws: Fault(.unfitKey)) {
            try SigningKey(privateJWK: Secret(silent.serializedText), algorithm: .edDSA)
        }
    }
}
