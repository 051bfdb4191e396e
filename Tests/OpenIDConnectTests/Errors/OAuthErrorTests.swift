import Basics
import OpenIDConnect
import TestSupport
import Testing

struct OAuthErrorTests {
    @Test(arguments: [
        (OAuthError.Code.invalidRequest, 400), (.invalidGrant, 400), (.invalidClient, 401), (.invalidToken, 401),
        (.insufficientScope, 403), (.insufficientAuthorization, 403), (.redirectToWeb, 400), (.useDPoPNonce, 400),
        (.serverError, 500), (.temporarilyUnavailable, 503),
    ])
    func `each code has its status`(code: OAuthError.Code, status: Int) {
        #expect(OAuthError(code, "x").status == status)
        #expect(OAuthError(code, "x", status: 418).status == 418)
    }

    @Test func `a doubt about client or address is never redirected`() {
        #expect(OAuthError(.accessDenied, "x").canRedirect)
        #expect(!OAuthError(.invalidRedirectURI, "x").canRedirect)
        #expect(!OAuthError(.invalidClient, "x").canRedirect)
        #expect(!OAuthError(.invalidRequest, "x", canRedirect: false).canRedirect)
    }

    @Test func `a refusal reads back as itself, with its further members`() {
        let error = OAuthError(
            .insufficientAuthorization, "Log in again.", members: ["auth_session": "s-1", "expires_in": 60])
        #expect(OAuthError(json: error.json, status: 403) == error)
        #expect(error.json["auth_session"] == "s-1")
    }

    @Test func `what only the log may hold does not go on the wire`() {
        let error = OAuthError(.invalidGrant, "The code is used up.", detail: "canary")
        #expect(!error.json.serializedText.contains("canary"))
        #expect(!error.fields.contains { $0.1.contains("canary") })
        #expect(!"\(error)".contains("canary"))
    }

    @Test(
        .rule("A067"),
        arguments: [
            [], "x", ["error": ""], ["error": 5], .object(["error": .string(String(repeating: "e", count: 65))]),
        ] as [JSONValue])
    func `an answer that is no OAuth error is a server error`(json: JSONValue) {
        let error = OAuthError(json: json, status: 502)
        #expect(error.code == .serverError)
        #expect(error.status == 502)
    }

    @Test(.rule("A067")) func `a code that we do not know is kept`() {
        #expect(OAuthError(json: ["error": "slow_down"], status: 400).code.rawValue == "slow_down")
    }

    @Test func `a description has only the characters that RFC 6749 allows`() {
        let error = OAuthError(.invalidRequest, "RFC 6749 §3.1 says “no\" \u{202E}\n\\ – really…")
        #expect(error.description == "RFC 6749 section 3.1 says 'no' / - really...")
        let foreign = OAuthError(json: ["error": "x\r\nSet-Cookie: a", "error_description": "\u{1B}[2Ja"], status: 400)
        #expect(foreign.code.rawValue == "xSet-Cookie: a")
        #expect(foreign.description == "[2Ja")
    }

    @Test func `a broken rule becomes a refusal that says what to do`() {
        let error = OAuthError(.invalidRequestObject, Fault(.wrongPlace, detail: "private"))
        #expect(error.description == "It is in the wrong place. Move it.")
        #expect(error.detail == "wrong-place: private")
    }

    @Test func `a refusal becomes this product's error for a client's caller`() {
        let fault = OAuthError(.invalidGrant, "The code is used up.").fault
        #expect(fault == Fault(.providerRefused))
        #expect(fault.text == "The provider refused: invalid_grant. The code is used up.")
        #expect(fault.underlying as? OAuthError == OAuthError(.invalidGrant, "The code is used up."))
    }

    @Test func `every code of the module has a name, a meaning and a next step of its own`() {
        let codes = ErrorCode.openIDConnect
        #expect(Set(codes.map(\.name)).count == codes.count)
        #expect(codes.allSatisfy { !$0.meaning.isEmpty && !$0.nextStep.isEmpty })
    }
}

extension ErrorCode {
    fileprivate static let wrongPlace = ErrorCode("wrong-place", .failed, "It is in the wrong place.", next: "Move it.")
}
