import Basics
import JOSE
import OpenIDConnect
import Testing

struct LogoutTokenVerifierTests {
    private let key: SigningKey
    private let verifier: LogoutTokenVerifier
    private let claims: [String: JSONValue]

    init() throws {
        key = try SigningKey.generate(.es256)
        let jwk = key.verificationKey.jwk.with(use: .sig, algorithm: "ES256", keyID: key.keyID)
        verifier = LogoutTokenVerifier(
            TrustedIssuer(
                issuer: try Fixture.issuer, clientID: try Fixture.client, algorithms: [.es256, .rs256],
                keys: JWKSet(keys: [jwk])))
        claims = [
            "iss": "http://localhost:8080", "aud": "notes", "sub": "u1", "sid": "s1", "jti": "one",
            "iat": 1_800_000_000, "exp": 1_800_000_120, "events": [LogoutToken.event: [:]],
        ]
    }

    private func token(_ changes: [(String, JSONValue?)] = [], type: String? = "logout+jwt") throws -> String {
        try Fixture.token(claims.with(changes), type: type, by: key, header: ["kid": .string(key.keyID)])
    }

    @Test func `a token that keeps every rule is believed`() throws {
        let read = try verifier.verify(try token(), now: Fixture.now)
        #expect(try read.issuer == Fixture.issuer)
        #expect(read.subject?.text == "u1" && read.sessionID == "s1" && read.id == "one")
        #expect(read.issuedAt == Fixture.now && read.expires == Fixture.now + .seconds(120))
    }

    @Test func `what the provider signs is what a client reads`() throws {
        let compact = try LogoutToken.signed(
            issuer: try Fixture.issuer, audience: try Fixture.client, subject: try Subject("u1"), sessionID: nil,
            id: "two", now: Fixture.now, lifetime: .seconds(60), key: key)
        let read = try verifier.verify(compact, now: Fixture.now)
        #expect(read.subject?.text == "u1" && read.sessionID == nil && read.id == "two")
        #expect(read.expires == Fixture.now + .seconds(60))
        #expect(try UnverifiedJWS(compact: compact).type == "logout+jwt")
    }

    @Test(
        arguments: [
            ("iss", "http://localhost:8081", ErrorCode.wrongIssuer), ("iss", nil, .wrongIssuer),
            ("aud", "calendar", .wrongAudience), ("aud", nil, .wrongAudience), ("iat", nil, .tokenNotFresh),
            ("iat", 1_800_000_031, .tokenNotFresh), ("exp", nil, .tokenExpired), ("exp", 1_799_999_970, .tokenExpired),
            ("events", nil, .logoutTokenEvent), ("events", [:], .logoutTokenEvent),
            ("events", [.string(LogoutToken.event)], .logoutTokenEvent),
            ("events", [LogoutToken.event: true], .logoutTokenEvent),
            ("events", ["http://schemas.openid.net/event/other": [:]], .logoutTokenEvent),
            ("nonce", "n", .logoutTokenNonce), ("nonce", .null, .logoutTokenNonce), ("sub", "", .invalidSubject),
            ("sid", "", .logoutTokenAccount), ("sid", 5, .logoutTokenAccount), ("jti", nil, .missingTokenID),
            ("jti", "", .missingTokenID),
        ] as [(String, JSONValue?, ErrorCode)])
    func `each claim has a rule of its own`(name: String, value: JSONValue?, code: ErrorCode) throws {
        #expect(throws: Fault(code)) { try verifier.verify(try token([(name, value)]), now: Fixture.now) }
        #expect(throws: Never.self) { try verifier.verify(try token(), now: Fixture.now) }
    }

    @Test func `who or which session must be said, and either is enough`() throws {
        #expect(throws: Fault(.logoutTokenAccount)) {
            try verifier.verify(try token([("sub", nil), ("sid", nil)]), now: Fixture.now)
        }
        #expect(try verifier.verify(try token([("sub", nil)]), now: Fixture.now).subject == nil)
        #expect(try verifier.verify(try token([("sid", nil)]), now: Fixture.now).sessionID == nil)
    }

    @Test(arguments: ["JWT", "at+jwt", "dpop+jwt", "idp-command+jwt", "LOGOUT+JWT", nil] as [String?])
    func `a token of another use is no logout token`(type: String?) throws {
        #expect(throws: Fault(.unexpectedTokenType)) { try verifier.verify(try token(type: type), now: Fixture.now) }
    }

    @Test func `a logout token is no ID token`() throws {
        let verifier = IDTokenVerifier(verifier.trusted)
        #expect(throws: Fault(.unexpectedTokenType)) {
            try verifier.verify(
                try token(), nonce: nil, maxAge: nil, requestedAt: nil, accessToken: nil, code: nil, now: Fixture.now)
        }
    }

    @Test func `the signature is by a key of the provider, and by an algorithm that was agreed`() throws {
        let stranger = try SigningKey.generate(.es256)
        let forged = try Fixture.token(claims, type: "logout+jwt", by: stranger, header: ["kid": .string(key.keyID)])
        #expect(throws: Fault(.badSignature)) { try verifier.verify(forged, now: Fixture.now) }
        let unknown = try Fixture.token(
            claims, type: "logout+jwt", by: stranger, header: ["kid": .string(stranger.keyID)])
        #expect(throws: Fault(.unknownTokenKey)) { try verifier.verify(unknown, now: Fixture.now) }
        var strict = verifier
        strict.trusted.algorithms = [.rs256]
        #expect(throws: Fault(.idTokenAlgorithm)) { try strict.verify(try token(), now: Fixture.now) }
    }

    @Test func `a token lives from its iat to its exp, give or take the skew`() throws {
        let compact = try token()
        #expect(throws: Never.self) { try verifier.verify(compact, now: Fixture.now - .seconds(30)) }
        #expect(throws: Fault(.tokenNotFresh)) { try verifier.verify(compact, now: Fixture.now - .seconds(31)) }
        #expect(throws: Never.self) { try verifier.verify(compact, now: Fixture.now + .seconds(149)) }
        #expect(throws: Fault(.tokenExpired)) { try verifier.verify(compact, now: Fixture.now + .seconds(150)) }
    }
}
