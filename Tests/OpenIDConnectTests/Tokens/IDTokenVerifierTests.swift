import Basics
import JOSE
import OpenIDConnect
import Testing

struct IDTokenVerifierTests {
    private let key: SigningKey
    private let verifier: IDTokenVerifier
    private let claims: [String: JSONValue]

    init() throws {
        key = try SigningKey.generate(.es256)
        let jwk = key.verificationKey.jwk.with(use: .sig, algorithm: "ES256", keyID: key.keyID)
        verifier = IDTokenVerifier(
            TrustedIssuer(
                issuer: try Fixture.issuer, clientID: try Fixture.client, algorithms: [.es256, .rs256],
                keys: JWKSet(keys: [jwk])))
        claims = [
            "iss": "http://localhost:8080", "sub": "248289761001", "aud": "notes", "nonce": "n-0S6_WzA2Mj",
            "iat": 1_800_000_000, "exp": 1_800_000_600, "auth_time": 1_799_999_000, "sid": "session-1",
            "ds_hash": "77QmUPtjPfzWtF2AnpK9RQ", "acr": "gold", "email": "canary@example.com",
        ]
    }

    private func token(_ changes: [(String, JSONValue?)] = [], type: String? = nil) throws -> String {
        try Fixture.token(claims.with(changes), type: type, by: key, header: ["kid": .string(key.keyID)])
    }

    private func verified(
        _ compact: String, nonce: String? = "n-0S6_WzA2Mj", maxAge: Int? = nil, requestedAt: Timestamp? = nil,
        accessToken: String? = nil, code: String? = nil, now: Timestamp = Fixture.now, allowingExpired: Bool = false
    ) throws -> IDToken {
        try verifier.verify(
            compact, nonce: try nonce.map(Nonce.init), maxAge: maxAge, requestedAt: requestedAt,
            accessToken: accessToken, code: code, now: now, allowingExpired: allowingExpired)
    }

    @Test func `a token that keeps every rule is believed`() throws {
        let compact = try token()
        let idToken = try verified(compact)
        #expect(try idToken.issuer == Fixture.issuer)
        #expect(idToken.subject.text == "248289761001")
        #expect(idToken.audience == ["notes"])
        #expect(idToken.nonce?.text == "n-0S6_WzA2Mj")
        #expect(idToken.authTime == Timestamp(seconds: 1_799_999_000))
        #expect(idToken.expires == Timestamp(seconds: 1_800_000_600))
        #expect(idToken.sessionID == "session-1" && idToken.acr == "gold")
        #expect(idToken.deviceSecretHash == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(idToken.compact == compact)
    }

    @Test(
        arguments: [
            ("iss", "http://localhost:8081", ErrorCode.wrongIssuer), ("iss", "http://localhost:8080/", .wrongIssuer),
            ("iss", nil, .wrongIssuer), ("sub", nil, .invalidSubject), ("sub", "", .invalidSubject),
            ("sub", 5, .invalidClaims), ("aud", "calendar", .wrongAudience), ("aud", nil, .wrongAudience),
            ("aud", [], .invalidClaims), ("aud", ["notes", "calendar"], .idTokenAuthorizedParty),
            ("azp", "calendar", .idTokenAuthorizedParty), ("azp", 5, .idTokenAuthorizedParty),
            ("exp", nil, .tokenExpired),
            ("exp", 1_799_999_970, .tokenExpired), ("iat", nil, .tokenNotFresh), ("iat", 1_800_000_031, .tokenNotFresh),
            ("nbf", 1_800_000_031, .tokenNotYetValid), ("nonce", nil, .idTokenNonce), ("nonce", "other", .idTokenNonce),
            ("nonce", 5, .idTokenNonce),
        ] as [(String, JSONValue?, ErrorCode)])
    func `each claim has a rule of its own`(name: String, value: JSONValue?, code: ErrorCode) throws {
        #expect(throws: Fault(code)) { try verified(try token([(name, value)])) }
    }

    @Test(
        arguments: [
            ("aud", ["notes"]), ("azp", "notes"), ("exp", 1_799_999_971), ("iat", 1_800_000_030),
            ("iat", 1_700_000_000),
            ("nbf", 1_800_000_030), ("auth_time", nil), ("extra", ["a": 1]),
        ] as [(String, JSONValue?)])
    func `the neighbours that keep the rules are believed`(name: String, value: JSONValue?) throws {
        #expect(try verified(try token([(name, value)])).subject.text == "248289761001")
    }

    @Test func `several audiences need this client as the authorized party`() throws {
        let audience: (String, JSONValue?) = ("aud", ["notes", "calendar"])
        #expect(try verified(try token([audience, ("azp", "notes")])).audience == ["notes", "calendar"])
        #expect(throws: Fault(.idTokenAuthorizedParty)) { try verified(try token([audience, ("azp", "calendar")])) }
    }

    @Test func `an authorized party does not stand in for an audience`() throws {
        #expect(throws: Fault(.wrongAudience)) { try verified(try token([("aud", "calendar"), ("azp", "notes")])) }
    }

    @Test(arguments: [nil, "JWT"])
    func `a general typ is taken`(type: String?) throws {
        #expect(try verified(try token(type: type)).subject.text == "248289761001")
    }

    @Test(arguments: ["at+jwt", "logout+jwt", "idp-command+jwt", "oauth-authz-req+jwt", "dpop+jwt"])
    func `a token of another use is no ID token`(type: String) throws {
        #expect(throws: Fault(.unexpectedTokenType)) { try verified(try token(type: type)) }
    }

    @Test(arguments: ["none", "None", "HS256", "PS256", "EdDSA", "ES384", ""])
    func `an algorithm that was not agreed is refused before any key is tried`(algorithm: String) throws {
        let header: JSONValue = ["alg": .string(algorithm), "kid": .string(key.keyID)]
        let payload = Base64URL.encode(JSONValue.object(claims).serialized())
        for signature in ["", "AAAA"] {
            let compact = "\(Base64URL.encode(header.serialized())).\(payload).\(signature)"
            #expect(throws: Fault(.idTokenAlgorithm)) { try verified(compact) }
        }
    }

    @Test func `an agreed algorithm that does not fit the named key is refused`() throws {
        let header: JSONValue = ["alg": "RS256", "kid": .string(key.keyID)]
        let payload = Base64URL.encode(JSONValue.object(claims).serialized())
        #expect(throws: Fault(.unfitKey)) {
            try verified("\(Base64URL.encode(header.serialized())).\(payload).AAAA")
        }
    }

    @Test func `a changed token is refused`() throws {
        let parts = try token().split(separator: ".")
        let payload = Base64URL.encode(JSONValue.object(claims.with("sub", "mallory")).serialized())
        #expect(throws: Fault(.badSignature)) { try verified("\(parts[0]).\(payload).\(parts[2])") }
    }

    @Test func `an unknown kid says so, for the caller to fetch the keys again`() throws {
        let other = try SigningKey.generate(.es256)
        let compact = try Fixture.token(claims, type: nil, by: other, header: ["kid": .string(other.keyID)])
        #expect(throws: Fault(.unknownTokenKey)) { try verified(compact) }
    }

    @Test func `without a kid the one key that fits is used, and two are too many`() throws {
        let compact = try Fixture.token(claims, type: nil, by: key)
        #expect(try verified(compact).subject.text == "248289761001")
        var more = verifier
        let edwards = try SigningKey.generate(.edDSA).verificationKey.jwk
        more.trusted.keys = JWKSet(keys: verifier.trusted.keys.keys + [edwards])
        #expect(try more.verify(compact, now: Fixture.now).subject.text == "248289761001")
        let second = try SigningKey.generate(.es256).verificationKey.jwk
        more.trusted.keys = JWKSet(keys: verifier.trusted.keys.keys + [second])
        #expect(throws: Fault(.unknownTokenKey)) { try more.verify(compact, now: Fixture.now) }
        more.trusted.keys = JWKSet(keys: [])
        #expect(throws: Fault(.unknownTokenKey)) { try more.verify(compact, now: Fixture.now) }
    }

    @Test func `a nonce is asked for only where one was sent`() throws {
        #expect(try verified(try token([("nonce", nil)]), nonce: nil).nonce == nil)
        #expect(throws: Fault(.idTokenNonce)) { try verified(try token([("nonce", nil)])) }
    }

    @Test(
        arguments: [
            // max_age, auth_time, and whether that login is new enough for a request sent now.
            (1_000, 1_799_999_000, true), (970, 1_799_999_000, true), (969, 1_799_999_000, false),
            (0, 1_799_999_970, true), (0, 1_799_999_969, false), (0, 1_800_000_030, true), (0, 1_800_000_031, false),
            (1_000, nil, false), (Int.max, 1_799_999_000, true),
        ] as [(Int, Int64?, Bool)])
    func `max_age limits how old the login is`(maxAge: Int, authTime: Int64?, isTaken: Bool) throws {
        let compact = try token([("auth_time", authTime.map(JSONValue.integer))])
        if isTaken {
            #expect(try verified(compact, maxAge: maxAge).subject.text == "248289761001")
        } else {
            #expect(throws: Fault(.idTokenAuthTime)) { try verified(compact, maxAge: maxAge) }
        }
    }

    @Test func `max_age counts from when the request was sent, not from now`() throws {
        let compact = try token([("auth_time", 1_799_999_890)])
        let sent = Fixture.now - .seconds(100)
        #expect(try verified(compact, maxAge: 60, requestedAt: sent).subject.text == "248289761001")
        #expect(throws: Fault(.idTokenAuthTime)) { try verified(compact, maxAge: 60) }
    }

    /// OpenID Connect Core appendix A.3.
    @Test func `at_hash fits the access token of the same answer`() throws {
        let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
        let compact = try token([("at_hash", "77QmUPtjPfzWtF2AnpK9RQ")])
        #expect(TokenHash.leftHalf(accessToken) == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(try verified(compact, accessToken: accessToken).subject.text == "248289761001")
        #expect(throws: Fault(.idTokenAccessTokenHash)) { try verified(compact, accessToken: "other") }
        #expect(throws: Fault(.idTokenAccessTokenHash)) {
            try verified(try token([("at_hash", 5)]), accessToken: accessToken)
        }
        #expect(try verified(try token(), accessToken: accessToken).subject.text == "248289761001")
    }

    /// OpenID Connect Core appendix A.4.
    @Test func `c_hash fits the code that was redeemed`() throws {
        let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
        let compact = try token([("c_hash", "LDktKdoQak3Pk0cnXxCltA")])
        #expect(try verified(compact, code: code).subject.text == "248289761001")
        #expect(throws: Fault(.idTokenCodeHash)) { try verified(compact, code: "other") }
    }

    @Test func `a hint may have expired, and nothing else may be wrong with it`() throws {
        let compact = try token()
        let later = Fixture.now + .seconds(86_400)
        #expect(throws: Fault(.tokenExpired)) { try verified(compact, now: later) }
        #expect(try verified(compact, now: later, allowingExpired: true).sessionID == "session-1")
        #expect(throws: Fault(.tokenExpired)) { try verified(try token([("exp", nil)]), allowingExpired: true) }
        #expect(throws: Fault(.wrongIssuer)) { try verified(try token([("iss", "x")]), allowingExpired: true) }
        #expect(throws: Fault(.tokenNotFresh)) {
            try verified(compact, now: Fixture.now - .seconds(31), allowingExpired: true)
        }
    }

    @Test func `neither token nor claims are shown`() throws {
        let idToken = try verified(try token())
        var dumped = ""
        dump(idToken, to: &dumped)
        for text in ["\(idToken)", String(reflecting: idToken), dumped] {
            #expect(!text.contains("canary") && !text.contains("248289761001") && !text.contains("eyJ"))
        }
    }
}

extension IDTokenVerifier {
    /// Checks what depends on the token and its keys alone.
    fileprivate func verify(_ compact: String, now: Timestamp) throws -> IDToken {
        try verify(
            compact, nonce: nil, maxAge: nil, requestedAt: nil, accessToken: nil, code: nil, now: now)
    }
}
