import Basics
import JOSE
import OpenIDConnect
import TestSupport
import Testing

struct RequestObjectTests {
    private let key: SigningKey
    private let object: RequestObject
    private let claims: [String: JSONValue]
    private let type = "oauth-authz-req+jwt"

    init() throws {
        key = try SigningKey.generate(.es256)
        var request = try Fixture.request
        request.dpopThumbprint = key.thumbprint
        request.prompt = try Prompt("login")
        request.maxAge = 600
        request.acrValues = ["gold"]
        request.loginHint = "alice"
        object = RequestObject(
            request: request, audience: try Fixture.issuer, id: "jti-1", issuedAt: Fixture.now,
            expires: Fixture.now + .seconds(300))
        claims = try Fixture.claims(try object.signed(by: key))
    }

    private func verified(_ compact: String, now: Timestamp = Fixture.now, by other: SigningKey? = nil) throws
        -> RequestObject
    {
        try UnverifiedRequestObject(compact: compact).verified(
            by: (other ?? key).verificationKey, clientID: Fixture.client, audience: Fixture.issuer, now: now)
    }

    private func verified(_ changes: [(String, JSONValue?)]) throws -> RequestObject {
        try verified(try Fixture.token(claims.with(changes), type: type, by: key))
    }

    @Test(.rule("T2", "A009")) func `a request object that was signed verifies to itself`() throws {
        #expect(try verified(try object.signed(by: key)) == object)
        #expect(try verified([]) == object)
    }

    @Test(arguments: [SignatureAlgorithm.es256, .edDSA])
    func `the client's pinned algorithm signs and verifies it`(algorithm: SignatureAlgorithm) throws {
        let other = try SigningKey.generate(algorithm)
        #expect(try verified(try object.signed(by: other), by: other) == object)
    }

    @Test func `it says whose key to look up before anything is checked`() throws {
        let unverified = try UnverifiedRequestObject(compact: try object.signed(by: key))
        #expect(try unverified.unverifiedClientID == Fixture.client)
        #expect(unverified.keyID == key.keyID)
        let empty = try UnverifiedRequestObject(compact: try Fixture.token([:], type: type, by: key))
        #expect(empty.unverifiedClientID == nil)
    }

    @Test func `on the wire it is what RFC 9101 says`() throws {
        let header = try UnverifiedJWS(compact: try object.signed(by: key)).header
        #expect(header == ["typ": "oauth-authz-req+jwt", "alg": "ES256", "kid": .string(key.keyID)])
        #expect(claims["iss"] == "notes" && claims["client_id"] == "notes" && claims["sub"] == nil)
        #expect(claims["aud"] == "http://localhost:8080" && claims["response_type"] == "code")
        #expect(claims["code_challenge_method"] == "S256" && claims["max_age"] == 600)
        #expect(claims["iat"] == 1_800_000_000 && claims["nbf"] == 1_800_000_000 && claims["exp"] == 1_800_000_300)
    }

    @Test(arguments: [nil, "JWT", "idp-command+jwt", "client-authentication+jwt", "dpop+jwt", "OAuth-Authz-Req+JWT"])
    func `another typ is refused`(type: String?) throws {
        let token = try Fixture.token(claims, type: type, by: key)
        #expect(throws: Fault(.unexpectedTokenType)) { try verified(token) }
    }

    @Test func `another key or algorithm than the pinned one is refused`() throws {
        let other = try SigningKey.generate(.es256)
        #expect(throws: Fault(.badSignature)) { try verified(try object.signed(by: other)) }
        let edwards = try SigningKey.generate(.edDSA)
        #expect(throws: Fault(.algorithmNotPinned)) { try verified(try object.signed(by: edwards)) }
    }

    @Test func `an unsigned object is refused`() throws {
        let header: JSONValue = ["alg": "none", "typ": "oauth-authz-req+jwt"]
        let payload = Base64URL.encode(JSONValue.object(claims).serialized())
        let token = "\(Base64URL.encode(header.serialized())).\(payload)."
        #expect(throws: Fault(.algorithmNotPinned)) { try verified(token) }
    }

    @Test(
        arguments: [
            ("iss", "calendar", ErrorCode.wrongIssuer), ("iss", nil, .wrongIssuer),
            ("client_id", "calendar", .requestObjectClient), ("client_id", nil, .requestObjectClient),
            ("aud", "http://localhost:8081", .wrongAudience), ("aud", nil, .wrongAudience),
            ("aud", ["http://localhost:8080", "http://localhost:8081"], .wrongAudience),
            ("jti", nil, .missingTokenID), ("jti", "", .missingTokenID), ("iat", nil, .tokenNotFresh),
            ("exp", nil, .tokenExpired), ("exp", 1_800_000_301, .lifetimeTooLong),
            ("exp", 1_800_000_000, .lifetimeTooLong), ("nbf", 1_800_000_031, .tokenNotYetValid),
            ("iat", 1_800_000_031, .tokenNotFresh), ("iat", "now", .invalidClaims),
            ("sub", "notes", .requestObjectParameters), ("response_type", "token", .requestObjectParameters),
            ("code_challenge_method", "plain", .requestObjectParameters), ("state", 5, .requestObjectParameters),
            ("scope", ["openid"], .requestObjectParameters), ("redirect_uri", nil, .requestObjectParameters),
            ("request", "x", .requestObjectParameters), ("request_uri", "urn:x", .requestObjectParameters),
            ("max_age", -1, .requestObjectParameters),
        ] as [(String, JSONValue?, ErrorCode)])
    func `each claim has a rule of its own`(name: String, value: JSONValue?, code: ErrorCode) throws {
        #expect(throws: Fault(code)) { try verified([(name, value)]) }
    }

    @Test func `an audience in an array of one is the same audience`() throws {
        #expect(try verified([("aud", ["http://localhost:8080"])]) == object)
    }

    @Test func `claims that are no parameter are left alone`() throws {
        #expect(try verified([("nbf", nil), ("purpose", ["a": 1])]) == object)
    }

    @Test(arguments: [(-31, false), (-30, true), (329, true), (330, false)])
    func `it lives from iat to exp, with 30 seconds for the clocks`(seconds: Int, isTaken: Bool) throws {
        let token = try object.signed(by: key)
        #expect(((try? verified(token, now: Fixture.now + .seconds(seconds))) != nil) == isTaken)
    }
}
