import Basics
import OpenIDConnect
import TestSupport
import Testing

struct TokenResponseTests {
    private static let json: [String: JSONValue] = [
        "access_token": "access-canary", "token_type": "DPoP", "expires_in": 900, "refresh_token": "refresh-canary",
        "id_token": "id-canary", "scope": "openid profile", "device_secret": "device-canary",
    ]

    @Test func `an answer reads and writes as itself`() throws {
        let response = try TokenResponse(json: .object(Self.json))
        #expect(response.json == .object(Self.json))
        #expect(response.tokenType == .dpop && response.expiresIn == 900)
        #expect(
            try TokenResponse(json: ["access_token": "a", "token_type": "Bearer"]).json
                == ["access_token": "a", "token_type": "Bearer"])
    }

    @Test(arguments: [
        ("bearer", TokenResponse.TokenType.bearer), ("BEARER", .bearer), ("dpop", .dpop), ("DPoP", .dpop),
    ])
    func `a token type is the same whatever its case`(text: String, type: TokenResponse.TokenType) throws {
        #expect(try TokenResponse(json: .object(Self.json.with("token_type", .string(text)))).tokenType == type)
    }

    @Test(
        .rule("A192"),
        arguments: [
            ("access_token", nil), ("access_token", ""), ("access_token", 1), ("access_token", "a\nb"),
            ("token_type", nil), ("token_type", "mac"), ("expires_in", "900"), ("expires_in", -1), ("refresh_token", 1),
            ("id_token", ["a"]), ("scope", ["openid"]), ("device_secret", ""),
        ] as [(String, JSONValue?)])
    func `a missing or malformed member is refused`(name: String, value: JSONValue?) {
        #expect(throws: Fault(.invalidTokenResponse)) {
            try TokenResponse(json: .object(Self.json.with(name, value)))
        }
    }

    @Test func `unknown members and null ones are ignored`() throws {
        let json = Self.json.with([("session_state", "x"), ("scope", .null), ("expires_in", .null)])
        let response = try TokenResponse(json: .object(json))
        #expect(response.scope == nil && response.expiresIn == nil)
    }

    @Test func `no token is shown`() throws {
        let response = try TokenResponse(json: .object(Self.json))
        var dumped = ""
        dump(response, to: &dumped)
        for text in ["\(response)", String(reflecting: response), dumped] {
            #expect(!text.contains("canary"))
        }
        #expect(response.json.serializedText.contains("id-canary"))
    }
}
