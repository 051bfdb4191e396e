import Basics
import JOSE
import OpenIDConnect
import Testing

struct ClientAssertionTests {
    private let key: SigningKey
    private let compact: String
    private let claims: [String: JSONValue]

    init() throws {
        key = try SigningKey.generate(.es256)
        compact = try ClientAssertion.signed(
            clientID: Fixture.client, audience: Fixture.issuer, id: "jti-1", now: Fixture.now, key: key)
        claims = try Fixture.claims(compact)
    }

    private func verified(_ compact: String, now: Timestamp = Fixture.now) throws -> (id: String, expires: Timestamp) {
        try ClientAssertion.verified(
            compact, clientID: Fixture.client, key: key.verificationKey, audience: Fixture.issuer, now: now)
    }

    @Test func `an assertion that was signed verifies, and says what to keep`() throws {
        let (id, expires) = try verified(compact)
        #expect(id == "jti-1")
        #expect(expires == Fixture.now + .seconds(60))
        #expect(try ClientAssertion.unverifiedClientID(compact) == Fixture.client)
    }

    @Test(arguments: [nil, "JWT", "jwt", "client-authentication+jwt"])
    func `a general typ or its own is taken`(type: String?) throws {
        #expect(try verified(try Fixture.token(claims, type: type, by: key)).id == "jti-1")
    }

    @Test(arguments: ["idp-command+jwt", "oauth-authz-req+jwt", "dpop+jwt", "at+jwt", "logout+jwt", ""])
    func `a token of another use is never an assertion`(type: String) throws {
        let token = try Fixture.token(claims, type: type, by: key)
        #expect(throws: Fault(.unexpectedTokenType)) { try verified(token) }
    }

    @Test func `an assertion is never a request object nor a proof`() throws {
        #expect(throws: Fault(.unexpectedTokenType)) {
            try UnverifiedRequestObject(compact: compact).verified(
                by: key.verificationKey, clientID: Fixture.client, audience: Fixture.issuer, now: Fixture.now)
        }
        #expect(throws: Fault(.unexpectedTokenType)) {
            try DPoPProof.verified(
                compact, method: "POST", url: "http://localhost:8080/token", accessToken: nil, now: Fixture.now)
        }
    }

    @Test(
        arguments: [
            ("iss", "calendar", ErrorCode.clientAssertionSubject), ("sub", "calendar", .clientAssertionSubject),
            ("iss", nil, .clientAssertionSubject), ("sub", nil, .clientAssertionSubject),
            ("aud", "http://localhost:8080/token", .wrongAudience), ("aud", "http://localhost:8080/", .wrongAudience),
            ("aud", ["http://localhost:8080", "x"], .wrongAudience), ("aud", nil, .wrongAudience),
            ("exp", nil, .tokenExpired), ("exp", 1_799_999_970, .tokenExpired),
            ("exp", 1_800_000_331, .lifetimeTooLong),
            ("nbf", 1_800_000_031, .tokenNotYetValid), ("iat", 1_800_000_031, .tokenNotFresh),
            ("iat", 1_799_999_669, .tokenNotFresh), ("iat", 1_799_999_759, .lifetimeTooLong),
            ("jti", nil, .missingTokenID), ("jti", "", .missingTokenID),
        ] as [(String, JSONValue?, ErrorCode)])
    func `each claim has a rule of its own`(name: String, value: JSONValue?, code: ErrorCode) throws {
        let token = try Fixture.token(claims.with(name, value), type: nil, by: key)
        #expect(throws: Fault(code)) { try verified(token) }
    }

    @Test func `iat may be missing, and then exp alone limits the life`() throws {
        let token = try Fixture.token(claims.with([("iat", nil), ("exp", 1_800_000_330)]), type: nil, by: key)
        #expect(try verified(token).expires == Timestamp(seconds: 1_800_000_330))
        let longer = try Fixture.token(claims.with([("iat", nil), ("exp", 1_800_000_331)]), type: nil, by: key)
        #expect(throws: Fault(.lifetimeTooLong)) { try verified(longer) }
    }

    @Test func `another client's key is refused`() throws {
        let other = try SigningKey.generate(.es256)
        #expect(throws: Fault(.badSignature)) { try verified(try Fixture.token(claims, type: nil, by: other)) }
    }

    @Test(arguments: [(89, true), (90, false)])
    func `it lives a minute, with 30 seconds for the clocks`(seconds: Int, isTaken: Bool) {
        #expect(((try? verified(compact, now: Fixture.now + .seconds(seconds))) != nil) == isTaken)
    }
}
