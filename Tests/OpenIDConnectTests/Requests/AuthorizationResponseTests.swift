import Basics
import OpenIDConnect
import TestSupport
import Testing

struct AuthorizationResponseTests {
    private static var accepted: AuthorizationResponse {
        get throws {
            AuthorizationResponse(
                .code(Secret("SplxlOBeZQQYbYS6WxSbIA")), state: try State("xyz"), issuer: try Fixture.issuer)
        }
    }

    @Test func `a response that was built parses to itself`() throws {
        #expect(try AuthorizationResponse(fields: Self.accepted.fields) == Self.accepted)
        var refused = try Self.accepted
        refused.outcome = .refusal(OAuthError(.accessDenied, "The person said no."))
        #expect(try AuthorizationResponse(fields: refused.fields) == refused)
    }

    @Test(arguments: [
        [("state", "xyz")], [("code", "a"), ("error", "access_denied")], [("code", "a"), ("code", "b")],
        [("code", "a"), ("state", "x"), ("state", "y")], [("code", "")],
    ])
    func `a response is one code or one error`(fields: [(String, String)]) {
        #expect(throws: Fault(.invalidResponse)) { try AuthorizationResponse(fields: fields) }
    }

    @Test(.rule("A031")) func `a response is believed for the state that was sent and no other`() throws {
        let response = try Self.accepted
        try response.check(state: State("xyz"), issuer: Fixture.issuer, issuerIsRequired: true)
        for state in [try State("xyZ"), nil] {
            #expect(throws: Fault(.stateMismatch)) {
                try response.check(state: state, issuer: Fixture.issuer, issuerIsRequired: true)
            }
        }
    }

    @Test func `a response is believed from the issuer that was asked and no other`() throws {
        let response = try Self.accepted
        #expect(throws: Fault(.responseIssuerMismatch)) {
            try response.check(state: State("xyz"), issuer: Issuer("http://localhost:8081"), issuerIsRequired: false)
        }
    }

    @Test func `a missing iss is refused where the server always sends it, and taken where it does not`() throws {
        var response = try Self.accepted
        response.issuer = nil
        try response.check(state: State("xyz"), issuer: Fixture.issuer, issuerIsRequired: false)
        #expect(throws: Fault(.responseIssuerMismatch)) {
            try response.check(state: State("xyz"), issuer: Fixture.issuer, issuerIsRequired: true)
        }
    }

    @Test func `a code is not shown`() throws {
        #expect(!String(reflecting: try Self.accepted).contains("SplxlOBeZQQYbYS6WxSbIA"))
    }
}
