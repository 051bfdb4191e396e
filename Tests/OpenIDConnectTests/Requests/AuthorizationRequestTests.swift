import Basics
import FoundationEssentials
import JOSE
import OpenIDConnect
import TestSupport
import Testing

struct AuthorizationRequestTests {
    private static var full: AuthorizationRequest {
        get throws {
            var request = try Fixture.request
            request.dpopThumbprint = try KeyThumbprint("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
            request.prompt = try Prompt("login consent")
            request.maxAge = 0
            request.acrValues = ["gold", "silver"]
            request.loginHint = "älice & bob = 100% ✓"
            return request
        }
    }

    /// The parts of a request that were changed in one parameter, or lost it.
    private static func changed(_ name: String, _ value: String?) throws -> [(String, String)] {
        let others = try full.fields.filter { $0.0 != name }
        return others + (value.map { [(name, $0)] } ?? [])
    }

    @Test(.rule("A009")) func `a request that was built parses to itself`() throws {
        #expect(try AuthorizationRequest.parse(Fixture.request.fields) == Fixture.request)
        #expect(try AuthorizationRequest.parse(Self.full.fields) == Self.full)
        #expect(try AuthorizationRequest.parse(Self.full.fields.reversed()) == Self.full)
    }

    @Test func `a stored request reads back as itself`() throws {
        let encoded = try JSONEncoder().encode(try Self.full)
        #expect(try JSONDecoder().decode(AuthorizationRequest.self, from: encoded) == Self.full)
    }

    @Test func `unknown parameters are ignored and empty ones count as left out`() throws {
        let more = [("display", "popup"), ("ui_locales", "de"), ("claims", "{}"), ("prompt", "")]
        #expect(try AuthorizationRequest.parse(Fixture.request.fields + more) == Fixture.request)
    }

    @Test(.rule("A151"), arguments: ["client_id", "state", "scope", "max_age"])
    func `a parameter that is sent twice is refused`(name: String) throws {
        let fields = try Self.full.fields
        let twice = try fields + [#require(fields.first { $0.0 == name })]
        #expect(try Self.refusal(of: twice)?.code == .invalidRequest)
        #expect(try Self.refusal(of: twice)?.canRedirect == false)
    }

    @Test(
        .rule("S18", "A010"),
        arguments: [
            ("response_type", nil, OAuthError.Code.invalidRequest),
            ("response_type", "token", .unsupportedResponseType),
            ("response_type", "code id_token", .unsupportedResponseType),
            ("response_mode", "fragment", .invalidRequest),
            ("code_challenge", nil, .invalidRequest), ("code_challenge", "short", .invalidRequest),
            ("code_challenge_method", nil, .invalidRequest), ("code_challenge_method", "plain", .invalidRequest),
            ("code_challenge_method", "s256", .invalidRequest), ("scope", nil, .invalidScope),
            ("scope", "open\"id", .invalidScope), ("state", "é", .invalidRequest), ("nonce", "\n", .invalidRequest),
            ("prompt", "none login", .invalidRequest), ("max_age", "-1", .invalidRequest),
            ("max_age", "1.5", .invalidRequest), ("max_age", "+1", .invalidRequest),
            ("max_age", "9999999999", .invalidRequest), ("dpop_jkt", "x", .invalidRequest),
            ("acr_values", "\u{7F}", .invalidRequest), ("login_hint", "a\u{0}b", .invalidRequest),
            ("login_hint", String(repeating: "a", count: 513), .invalidRequest),
            ("request", "eyJ", .requestNotSupported), ("request_uri", "urn:x", .requestURINotSupported),
        ] as [(String, String?, OAuthError.Code)])
    func `a wrong parameter is refused, and the client may be told so`(
        name: String, value: String?, code: OAuthError.Code
    ) throws {
        let refusal = try #require(try Self.refusal(of: try Self.changed(name, value)))
        #expect(refusal.code == code)
        #expect(refusal.canRedirect)
    }

    @Test(
        arguments: [
            ("client_id", nil), ("client_id", "é"), ("redirect_uri", nil), ("redirect_uri", "/done"),
            ("redirect_uri", "javascript:alert(1)"), ("redirect_uri", "http://evil.example/"),
        ] as [(String, String?)])
    func `a request whose client or address is in doubt is never redirected`(name: String, value: String?) throws {
        let refusal = try #require(try Self.refusal(of: try Self.changed(name, value)))
        #expect(!refusal.canRedirect)
    }

    @Test(.rule("A010")) func `response_mode query is what happens anyway`() throws {
        #expect(try Self.refusal(of: Self.changed("response_mode", "query")) == nil)
    }

    private static func refusal(of fields: [(String, String)]) throws -> OAuthError? {
        do throws(OAuthError) {
            _ = try AuthorizationRequest.parse(fields)
            return nil
        } catch {
            return error
        }
    }
}
