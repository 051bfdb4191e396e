import Basics
import JOSE
import OpenIDConnect
import Testing

struct DPoPProofTests {
    private let key: SigningKey
    private let claims: [String: JSONValue]
    private let header: [String: JSONValue]
    private let url = "http://localhost:8080/token"

    init() throws {
        key = try SigningKey.generate(.es256)
        let compact = try DPoPProof.signed(
            method: "POST", url: url, accessToken: nil, nonce: nil, id: "jti-1", now: Fixture.now, key: key)
        claims = try Fixture.claims(compact)
        header = try UnverifiedJWS(compact: compact).header
    }

    private func verified(
        _ compact: String, method: String = "POST", accessToken: String? = nil, now: Timestamp = Fixture.now
    ) throws -> DPoPProof {
        try DPoPProof.verified(compact, method: method, url: url, accessToken: accessToken, now: now)
    }

    private func token(_ claims: [String: JSONValue], header: [String: JSONValue]? = nil) throws -> String {
        try Fixture.token(claims, type: nil, by: key, header: header ?? self.header)
    }

    // MARK: The examples of RFC 9449

    /// RFC 9449 §4.1.
    private static let tokenRequestProof =
        "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRj"
        + "QyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19"
        + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0Ij"
        + "oxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
    /// RFC 9449 §6.1: the confirmation of that key.
    private static let thumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"

    @Test func `the proof of RFC 9449 section 4 is accepted for its own request`() throws {
        let proof = try DPoPProof.verified(
            Self.tokenRequestProof, method: "POST", url: "https://server.example.com/token?x=1", accessToken: nil,
            now: Timestamp(seconds: 1_562_262_616))
        #expect(proof.thumbprint.value == Self.thumbprint)
        #expect(proof.id == "-BwC3ESc6acc2lTc")
        #expect(proof.issuedAt == Timestamp(seconds: 1_562_262_616))
        #expect(proof.nonce == nil)
    }

    @Test func `the proof of RFC 9449 section 4 is refused for other requests`() {
        let then = Timestamp(seconds: 1_562_262_616)
        let server = "https://server.example.com"
        #expect(throws: Fault(.dpopMethod)) {
            try DPoPProof.verified(
                Self.tokenRequestProof, method: "GET", url: "\(server)/token", accessToken: nil, now: then)
        }
        #expect(throws: Fault(.dpopURL)) {
            try DPoPProof.verified(
                Self.tokenRequestProof, method: "POST", url: "\(server)/par", accessToken: nil, now: then)
        }
        #expect(throws: Fault(.tokenNotFresh)) {
            try DPoPProof.verified(
                Self.tokenRequestProof, method: "POST", url: "\(server)/token", accessToken: nil, now: Fixture.now)
        }
        #expect(throws: Fault(.dpopAccessToken)) {
            try DPoPProof.verified(
                Self.tokenRequestProof, method: "POST", url: "\(server)/token", accessToken: "x", now: then)
        }
    }

    @Test func `ath is the hash that RFC 9449 section 7 shows`() throws {
        let compact = try DPoPProof.signed(
            method: "GET", url: "https://resource.example.org/protectedresource",
            accessToken: "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU", nonce: nil, id: "e1j3V_bKic8-LAEB",
            now: Timestamp(seconds: 1_562_262_618), key: key)
        #expect(
            try Fixture.claims(compact) == [
                "jti": "e1j3V_bKic8-LAEB", "htm": "GET", "htu": "https://resource.example.org/protectedresource",
                "iat": 1_562_262_618, "ath": "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo",
            ])
    }

    // MARK: Our own

    @Test(arguments: [SignatureAlgorithm.es256, .edDSA])
    func `a proof that was signed verifies and names its key`(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let compact = try DPoPProof.signed(
            method: "POST", url: "\(url)?a=b#c", accessToken: "at", nonce: "n-1", id: "jti-1", now: Fixture.now,
            key: key)
        let proof = try verified(compact, accessToken: "at")
        #expect(proof.thumbprint == key.thumbprint)
        #expect(proof.nonce == "n-1")
    }

    @Test func `the header holds the public key and nothing that makes it longer`() throws {
        #expect(Set(header.keys) == ["typ", "alg", "jwk"])
        #expect(header["typ"] == "dpop+jwt")
        #expect(Set(try #require(header["jwk"]?.objectValue).keys) == ["kty", "crv", "x", "y"])
    }

    @Test(arguments: [nil, "JWT", "DPoP+JWT", "idp-command+jwt", "client-authentication+jwt"])
    func `another typ is refused`(type: String?) throws {
        #expect(try verified(try token(claims)).id == "jti-1")
        let other = try token(claims, header: header.with("typ", type.map(JSONValue.string)))
        #expect(throws: Fault(.unexpectedTokenType)) { try verified(other) }
    }

    @Test func `a proof needs a public key that fits its alg`() throws {
        #expect(throws: Fault(.dpopKey)) { try verified(try token(claims, header: header.with("jwk", nil))) }
        #expect(throws: Fault(.dpopKey)) { try verified(try token(claims, header: header.with("jwk", "x"))) }
        let edwards = try SigningKey.generate(.edDSA).verificationKey.jwk.json
        #expect(throws: Fault(.dpopKey)) { try verified(try token(claims, header: header.with("jwk", edwards))) }
    }

    @Test func `a proof that shows its private key is refused`() throws {
        let secret = try JSONValue(parsing: try key.privateJWK().unmasked)
        #expect(throws: Fault(.exposedPrivateKey)) {
            try verified(try token(claims, header: header.with("jwk", secret)))
        }
    }

    @Test(arguments: ["none", "HS256", "ES384"])
    func `a symmetric or missing algorithm is refused`(algorithm: String) throws {
        let head = JSONValue.object(header.with("alg", .string(algorithm)))
        let payload = Base64URL.encode(JSONValue.object(claims).serialized())
        let compact = "\(Base64URL.encode(head.serialized())).\(payload).AAAA"
        #expect(throws: Fault(.dpopKey)) { try verified(compact) }
    }

    @Test func `a proof that another key signed is refused`() throws {
        let other = try SigningKey.generate(.es256)
        let compact = try Fixture.token(claims, type: nil, by: other, header: header)
        #expect(throws: Fault(.badSignature)) { try verified(compact) }
    }

    @Test(
        arguments: [
            ("htm", "post", ErrorCode.dpopMethod), ("htm", nil, .dpopMethod), ("htu", nil, .dpopURL),
            ("htu", "http://localhost:8080/token/", .dpopURL), ("htu", "http://localhost:8081/token", .dpopURL),
            ("htu", "http://localhost:8080/token?x", .dpopURL), ("iat", nil, .tokenNotFresh),
            ("jti", nil, .missingTokenID),
            ("jti", "", .missingTokenID), ("jti", .string(String(repeating: "a", count: 256)), .missingTokenID),
        ] as [(String, JSONValue?, ErrorCode)])
    func `each claim has a rule of its own`(name: String, value: JSONValue?, code: ErrorCode) throws {
        #expect(throws: Fault(code)) { try verified(try token(claims.with(name, value))) }
    }

    @Test func `a proof goes with the access token that it names`() throws {
        let compact = try DPoPProof.signed(
            method: "POST", url: url, accessToken: "at", nonce: nil, id: "jti-1", now: Fixture.now, key: key)
        #expect(try verified(compact, accessToken: "at").id == "jti-1")
        #expect(throws: Fault(.dpopAccessToken)) { try verified(compact, accessToken: "other") }
        #expect(throws: Fault(.dpopAccessToken)) { try verified(try token(claims), accessToken: "at") }
    }

    @Test(arguments: [(-31, false), (-30, true), (90, true), (91, false)])
    func `a proof is a minute old at most, with 30 seconds for the clocks`(seconds: Int, isTaken: Bool) throws {
        let compact = try token(claims)
        #expect(((try? verified(compact, now: Fixture.now + .seconds(seconds))) != nil) == isTaken)
    }
}
