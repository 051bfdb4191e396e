import Basics
import JOSE
import OpenIDConnect
import Testing

/// What most tests of this module start from: one issuer, one client, one instant, and keys made once.
enum Fixture {
    static let now = Timestamp(seconds: 1_800_000_000)

    static var issuer: Issuer { get throws { try Issuer("http://localhost:8080") } }
    static var client: ClientID { get throws { try ClientID("notes") } }
    static var verifier: CodeVerifier { get throws { try CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") } }

    static var request: AuthorizationRequest {
        get throws {
            AuthorizationRequest(
                clientID: try client, redirectURI: try RedirectURI("com.example.notes://oauth/done"),
                scope: try ScopeSet("openid profile"), state: try State("af0ifjsldkj"),
                nonce: try Nonce("n-0S6_WzA2Mj"),
                codeChallenge: try verifier.challenge)
        }
    }

    /// A token with those claims and header, signed by that key: for what no signer of ours would write.
    static func token(
        _ claims: [String: JSONValue], type: String?, by key: SigningKey, header: [String: JSONValue] = [:]
    ) throws -> String {
        var header = header
        if let type { header["typ"] = .string(type) }
        return try JWS.sign(JSONValue.object(claims).serialized(), header: header, by: key)
    }

    /// The claims of a token, whoever signed it.
    static func claims(_ compact: String) throws -> [String: JSONValue] {
        try JWTClaims(try UnverifiedJWS(compact: compact).unverifiedPayload).members
    }
}

extension [String: JSONValue] {
    /// The same members with some changed, or taken out by nil.
    func with(_ changes: [(String, JSONValue?)]) -> [String: JSONValue] {
        var members = self
        for (name, value) in changes { members[name] = value }
        return members
    }

    func with(_ name: String, _ value: JSONValue?) -> [String: JSONValue] { with([(name, value)]) }
}
