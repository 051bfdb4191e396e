import Basics
import JOSE
import Testing

@Suite struct JWTClaimsTests {
    private let now = Timestamp(seconds: 1_800_000_000)

    private func claims(_ members: [String: JSONValue]) -> JWTClaims { JWTClaims(members) }

    @Test func `the claims of RFC 7519 §3.1 are read`() throws {
        let claims = try JWTClaims(try UnverifiedJWS(compact: RFCVectors.hmacToken).unverifiedPayload)
        #expect(claims.issuer == "joe" && claims.expiration == Timestamp(seconds: 1_300_819_380))
        #expect(claims["http://example.com/is_root"] == true && claims.subject == nil && claims.audience.isEmpty)
    }

    @Test func `an audience is one string or several`() throws {
        #expect(claims(["aud": "a"]).audience == ["a"])
        #expect(claims(["aud": ["a", "b"]]).audience == ["a", "b"])
        #expect(claims(["aud": ["a", 1]]).audience.isEmpty)
    }

    @Test(arguments: [
        #"{"iss":1}"#, #"{"sub":null}"#, #"{"aud":[]}"#, #"{"aud":[1]}"#, #"{"aud":{}}"#, #"{"exp":"1800000000"}"#,
        #"{"nbf":true}"#, #"{"iat":-1}"#, #"{"exp":1e300}"#, #"{"exp":253402300800}"#, #"{"jti":7}"#, #"[]"#, #"{"#,
        #"{"iss":"a","iss":"b"}"#,
    ])
    func `a registered claim of the wrong form spoils the token`(payload: String) {
        #expect(throws: Fault(.invalidClaims)) { try JWTClaims(utf8(payload)) }
    }

    @Test func `a NumericDate may have a fraction`() throws {
        #expect(try JWTClaims(utf8(#"{"exp":1.5}"#)).expiration == Timestamp(microseconds: 1_500_000))
    }

    @Test func `the issuer is compared byte by byte`() throws {
        try claims(["iss": "https://idp.test"]).requireIssuer("https://idp.test")
        for wrong in ["https://idp.test/", "https://IDP.test", ""] {
            #expect(throws: Fault(.wrongIssuer)) {
                try claims(["iss": .string(wrong)]).requireIssuer("https://idp.test")
            }
        }
        #expect(throws: Fault(.wrongIssuer)) { try claims([:]).requireIssuer("") }
        #expect(throws: Fault(.wrongIssuer)) { try claims(["iss": "e\u{301}"]).requireIssuer("\u{E9}") }
    }

    @Test func `the audience names the receiver, alone where that is asked`() throws {
        try claims(["aud": "a"]).requireAudience("a", alone: true)
        try claims(["aud": ["b", "a"]]).requireAudience("a", alone: false)
        #expect(throws: Fault(.wrongAudience)) { try claims(["aud": ["b", "a"]]).requireAudience("a", alone: true) }
        #expect(throws: Fault(.wrongAudience)) { try claims(["aud": "b"]).requireAudience("a", alone: false) }
        #expect(throws: Fault(.wrongAudience)) { try claims([:]).requireAudience("a", alone: false) }
    }

    @Test func `exp is the first instant that is too late, give or take the skew`() throws {
        let token = claims(["exp": 1_800_000_000])
        try token.requireUnexpired(at: now - .milliseconds(1), skew: .zero)
        #expect(throws: Fault(.tokenExpired)) { try token.requireUnexpired(at: now, skew: .zero) }
        try token.requireUnexpired(at: now + .seconds(29), skew: .seconds(30))
        #expect(throws: Fault(.tokenExpired)) { try token.requireUnexpired(at: now + .seconds(30), skew: .seconds(30)) }
        #expect(throws: Fault(.tokenExpired)) { try claims([:]).requireUnexpired(at: now, skew: .zero) }
    }

    @Test func `nbf counts where it is there, and a broken one is not missing`() throws {
        try claims([:]).requireStarted(at: now, skew: .zero)
        try claims(["nbf": 1_800_000_030]).requireStarted(at: now, skew: .seconds(30))
        #expect(throws: Fault(.tokenNotYetValid)) {
            try claims(["nbf": 1_800_000_031]).requireStarted(at: now, skew: .seconds(30))
        }
        #expect(throws: Fault(.tokenNotYetValid)) { try claims(["nbf": "soon"]).requireStarted(at: now, skew: .zero) }
    }

    @Test func `iat is there, not in the future and not too long ago`() throws {
        let token = claims(["iat": 1_800_000_000])
        try token.requireIssued(at: now + .seconds(60), within: .seconds(60), skew: .zero)
        try token.requireIssued(at: now - .seconds(30), within: .seconds(60), skew: .seconds(30))
        for wrong in [now + .seconds(91), now - .seconds(31)] {
            #expect(throws: Fault(.tokenNotFresh)) {
                try token.requireIssued(at: wrong, within: .seconds(60), skew: .seconds(30))
            }
        }
        #expect(throws: Fault(.tokenNotFresh)) {
            try claims([:]).requireIssued(at: now, within: .seconds(60), skew: .zero)
        }
    }

    @Test func `a lifetime is positive and at most what is allowed`() throws {
        try claims(["iat": 100, "exp": 160]).requireLifetime(atMost: .seconds(60))
        for (iat, exp) in [(100, 161), (100, 100), (100, 99)] as [(Int64, Int64)] {
            #expect(throws: Fault(.lifetimeTooLong)) {
                try claims(["iat": .integer(iat), "exp": .integer(exp)]).requireLifetime(atMost: .seconds(60))
            }
        }
        #expect(throws: Fault(.lifetimeTooLong)) { try claims(["exp": 160]).requireLifetime(atMost: .seconds(60)) }
    }
}
