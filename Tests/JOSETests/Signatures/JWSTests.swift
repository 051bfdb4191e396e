import Basics
import JOSE
import Testing

@Suite struct JWSTests {
    @Test(
        arguments: [
            (RFCVectors.rs256Token, RFCVectors.rs256Key, .rs256), (RFCVectors.es256Token, RFCVectors.es256Key, .es256),
            (RFCVectors.edDSAToken, RFCVectors.edDSAKey, .edDSA),
        ] as [(String, String, SignatureAlgorithm)])
    func `the tokens of RFC 7515 A.2, A.3 and RFC 8037 A.4 hold`(
        token: String, key: String, algorithm: SignatureAlgorithm
    ) throws {
        let signer = try SigningKey(privateJWK: Secret(key), algorithm: algorithm)
        let unverified = try UnverifiedJWS(compact: token)
        #expect(try unverified.verified(by: signer.verificationKey) == unverified.unverifiedPayload)
        for part in 1...2 {
            let other = try UnverifiedJWS(compact: tampered(token, part: part))
            #expect(throws: Fault(.badSignature)) { try other.verified(by: signer.verificationKey) }
        }
    }

    @Test(
        arguments: [
            (RFCVectors.rs256Token, RFCVectors.rs256Key, .rs256), (RFCVectors.edDSAToken, RFCVectors.edDSAKey, .edDSA),
        ]
            as [(String, String, SignatureAlgorithm)])
    func `RS256 and EdDSA give the RFC's own token again`(
        token: String, key: String, algorithm: SignatureAlgorithm
    ) throws {
        let payload = try UnverifiedJWS(compact: token).unverifiedPayload
        let signer = try SigningKey(privateJWK: Secret(key), algorithm: algorithm)
        #expect(try JWS.sign(payload, header: [:], by: signer) == token)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a signed payload comes back with its header`(algorithm: SignatureAlgorithm) throws {
        let key = Keys.signing(algorithm)
        let header: [String: JSONValue] = ["typ": "test+jwt", "kid": .string(key.keyID), "alg": "none"]
        let token = try JWS.sign(utf8("payload"), header: header, by: key)
        let unverified = try UnverifiedJWS(compact: token)
        #expect(unverified.algorithmName == algorithm.rawValue)
        #expect(unverified.keyID == key.keyID && unverified.type == "test+jwt" && unverified.compact == token)
        #expect(try unverified.verified(by: key.verificationKey) == utf8("payload"))
    }

    @Test func `the algorithm is the key's, whatever the token says`() throws {
        let unpinned = try VerificationKey(
            Keys.rs256.verificationKey.jwk.with(use: .sig, algorithm: nil, keyID: nil), algorithm: .ps256)
        let token = try UnverifiedJWS(compact: try JWS.sign([], header: [:], by: Keys.rs256))
        #expect(try token.verified(by: Keys.rs256.verificationKey).isEmpty)
        #expect(throws: Fault(.algorithmNotPinned)) { try token.verified(by: unpinned) }
        // RFC 7515 A.5: alg none with an empty signature.
        let unsigned = try UnverifiedJWS(compact: "eyJhbGciOiJub25lIn0.e30.")
        #expect(throws: Fault(.algorithmNotPinned)) { try unsigned.verified(by: Keys.rs256.verificationKey) }
        let hmac = try UnverifiedJWS(compact: RFCVectors.hmacToken)
        #expect(throws: Fault(.algorithmNotPinned)) { try hmac.verified(by: Keys.rs256.verificationKey) }
    }

    @Test func `another's signature is refused`() throws {
        let other = try SigningKey.generate(.es256)
        let token = try UnverifiedJWS(compact: try JWS.sign([1], header: [:], by: other))
        #expect(try token.verified(by: other.verificationKey) == [1])
        #expect(throws: Fault(.badSignature)) { try token.verified(by: Keys.es256.verificationKey) }
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "e30.e30", "eyJhbGciOiJFUzI1NiJ9.e30", "eyJhbGciOiJFUzI1NiJ9.e30.AA.AA",
        "eyJhbGciOiJFUzI1NiJ9.e30=.AA", "eyJhbGciOiJFUzI1NiJ9.e30.AA\n", " eyJhbGciOiJFUzI1NiJ9.e30.AA",
        "eyJhbGciOiJFUzI1NiJ9.e31.AB",
    ])
    func `what is not three parts of strict base64url is no token`(text: String) {
        #expect(throws: Fault(.malformedToken)) { try UnverifiedJWS(compact: text) }
    }

    @Test(arguments: [
        "{}", "[]", #"{"alg":5}"#, #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"ES256"} x"#,
        #"{"alg":"ES256","kid":1}"#,
        #"{"alg":"ES256","typ":["JWT"]}"#,
    ])
    func `a header that is not a strict object with an alg is refused`(header: String) throws {
        #expect(throws: Fault(.malformedToken)) {
            try UnverifiedJWS(compact: Base64URL.encode(utf8(header)) + ".e30.AA")
        }
        #expect(try UnverifiedJWS(compact: Base64URL.encode(utf8(#"{"alg":"ES256"}"#)) + ".e30.AA").header.count == 1)
    }

    @Test(arguments: [
        #"{"alg":"ES256","crit":["exp"]}"#, #"{"alg":"ES256","b64":false}"#, #"{"alg":"ES256","crit":[]}"#,
    ])
    func `a header that asks for an extension is refused`(header: String) {
        #expect(throws: Fault(.unsupportedHeader)) {
            try UnverifiedJWS(compact: Base64URL.encode(utf8(header)) + ".e30.AA")
        }
    }

    @Test func `a token is as long as its reader allows`() throws {
        let token = try JWS.sign([UInt8](repeating: 1, count: 100), header: [:], by: Keys.es256)
        let count = token.utf8.count
        #expect(try UnverifiedJWS(compact: token, maximumBytes: count).compact == token)
        #expect(throws: Fault(.tokenTooLarge)) { try UnverifiedJWS(compact: token, maximumBytes: count - 1) }
    }
}
