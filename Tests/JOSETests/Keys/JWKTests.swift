import Basics
import JOSE
import Testing

@Suite struct JWKTests {
    static let ec =
        #"{"kty":"EC","crv":"P-256","x":"gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0","#
        + #""y":"SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps","use":"sig","alg":"ES256","kid":"one"}"#

    private func ec(_ changes: [String: JSONValue]) throws -> JSONValue {
        try JSONValue(parsing: JWKTests.ec).with(changes)
    }

    @Test func `the key of RFC 7638 §3.1 has its thumbprint`() throws {
        let key = try JWK(parsing: RFCVectors.thumbprintKey)
        #expect(key.thumbprint.value == RFCVectors.thumbprint)
        #expect(key.keyType == "RSA" && key.algorithm == "RS256" && key.keyID == "2011-04-29" && key.use == nil)
    }

    @Test func `the key of RFC 8037 A.3 has its thumbprint`() throws {
        let key = try JWK(try JSONValue(parsing: RFCVectors.edDSAKey).publicPart)
        #expect(key.thumbprint.value == RFCVectors.edDSAThumbprint)
    }

    @Test func `the thumbprint is the same whatever is said about the key`() throws {
        let key = try JWK(parsing: JWKTests.ec)
        let bare = key.with(use: nil, algorithm: nil, keyID: nil)
        #expect(bare.thumbprint == key.thumbprint)
        #expect(bare != key)
        #expect(bare.json == (try ec(["use": .null, "alg": .null, "kid": .null])))
    }

    @Test func `a key is written with the members it came with`() throws {
        let key = try JWK(try ec(["key_ops": ["verify"], "x5u": "https://example.com"]))
        #expect(key.json == (try ec(["key_ops": ["verify"]])))
        #expect(try JWK(key.json) == key)
    }

    @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
    func `any private member makes a key unfit to be shown`(name: String) throws {
        #expect(throws: Fault(.exposedPrivateKey)) { try JWK(try ec([name: "AQ"])) }
    }

    @Test(
        arguments: [
            ["kty": .null], ["kty": 1], ["crv": .null], ["x": .null], ["x": 5], ["x": "AQ"], ["y": "AQ=="],
            ["use": ["sig"]], ["alg": 256], ["kid": true], ["key_ops": "verify"], ["key_ops": ["verify", "verify"]],
            ["key_ops": [1]],
        ] as [[String: JSONValue]])
    func `a member that is missing or of the wrong form is refused`(changes: [String: JSONValue]) throws {
        #expect(throws: Fault(.invalidKey)) { try JWK(try ec(changes)) }
    }

    @Test(
        arguments: [
            ["kty": "oct"], ["crv": "P-384"], ["crv": "secp256k1"], ["kty": "OKP", "crv": "X25519"], ["use": "both"],
        ] as [[String: JSONValue]])
    func `another type, curve or use is told apart from a broken key`(changes: [String: JSONValue]) throws {
        #expect(throws: Fault(.unsupportedKey)) { try JWK(try ec(changes)) }
    }

    @Test func `RSA numbers have no leading zero`() throws {
        let key = try JSONValue(parsing: RFCVectors.thumbprintKey)
        #expect(try JWK(key).keyType == "RSA")
        #expect(throws: Fault(.invalidKey)) { try JWK(key.with(["e": "AAEAAQ"])) }
        #expect(throws: Fault(.invalidKey)) { try JWK(key.with(["n": ""])) }
    }

    @Test func `a JWK is an object with no name twice`() {
        #expect(throws: Fault(.invalidKey)) { try JWK("text") }
        #expect(throws: Fault(.invalidJSON)) { try JWK(parsing: #"{"kty":"EC","kty":"RSA"}"#) }
    }

    @Test func `a thumbprint is 43 characters of base64url, stored bare`() throws {
        let thumbprint = try KeyThumbprint(RFCVectors.thumbprint)
        #expect(thumbprint.description == RFCVectors.thumbprint)
        #expect(thumbprint.display == "3736 cbb1 787c")
        #expect(throws: Fault(.invalidThumbprint)) { try KeyThumbprint(String(RFCVectors.thumbprint.dropLast())) }
        #expect(throws: Fault(.invalidThumbprint)) { try KeyThumbprint(RFCVectors.thumbprint + "A") }
        #expect(throws: Fault(.invalidThumbprint)) { try KeyThumbprint("+" + RFCVectors.thumbprint.dropFirst()) }
    }
}
