import Basics
import OpenIDConnect
import Testing

struct ServerMetadataTests {
    private static var metadata: ServerMetadata {
        get throws {
            let issuer = try Fixture.issuer
            return ServerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.url("/authorize"), tokenEndpoint: issuer.url("/token"),
                jwksURI: issuer.url("/jwks"), userinfoEndpoint: issuer.url("/userinfo"),
                revocationEndpoint: issuer.url("/revoke"), introspectionEndpoint: issuer.url("/introspect"),
                authorizationChallengeEndpoint: issuer.url("/authorize-challenge"),
                pushedAuthorizationRequestEndpoint: issuer.url("/par"),
                deviceAuthorizationEndpoint: issuer.url("/device"), endSessionEndpoint: issuer.url("/end-session"),
                registrationEndpoint: issuer.url("/register"), sendsIssuerInResponse: true,
                supported: [.scopes: ["openid"], .codeChallengeMethods: ["S256"]], others: ["test": true])
        }
    }

    private static func read(_ changes: [(String, JSONValue?)], of issuer: String? = nil) throws -> ServerMetadata {
        let members = try #require(try metadata.json.objectValue)
        return try ServerMetadata(
            json: .object(members.with(changes)), expecting: try issuer.map(Issuer.init) ?? Fixture.issuer)
    }

    @Test func `a document that was published reads back as itself`() throws {
        #expect(try Self.read([]) == Self.metadata)
    }

    @Test func `the document has the standard's names`() throws {
        let json = try Self.metadata.json
        #expect(json["authorization_challenge_endpoint"] == "http://localhost:8080/authorize-challenge")
        #expect(json["pushed_authorization_request_endpoint"] == "http://localhost:8080/par")
        #expect(json["authorization_response_iss_parameter_supported"] == true)
        #expect(json["code_challenge_methods_supported"] == ["S256"])
        #expect(json["test"] == true)
    }

    @Test func `it says what the server supports`() throws {
        #expect(try Self.metadata.supports("S256", .codeChallengeMethods))
        #expect(try !Self.metadata.supports("plain", .codeChallengeMethods))
        #expect(try !Self.metadata.supports("code", .responseTypes))
    }

    @Test(arguments: [
        "http://localhost:8080/", "http://localhost:8081", "https://localhost:8080", "http://LOCALHOST:8080",
    ])
    func `metadata of another issuer is refused`(text: String) {
        #expect(throws: Fault(.issuerMismatch)) { try Self.read([("issuer", .string(text))]) }
    }

    @Test func `metadata without an issuer is refused`() {
        #expect(throws: Fault(.issuerMismatch)) { try Self.read([("issuer", nil)]) }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `a required endpoint must be there`(name: String) {
        #expect(throws: Fault(.invalidMetadata)) { try Self.read([(name, nil)]) }
    }

    @Test func `an optional endpoint may be missing`() throws {
        #expect(try Self.read([("userinfo_endpoint", nil)]).userinfoEndpoint == nil)
    }

    @Test(arguments: ["token_endpoint", "userinfo_endpoint", "registration_endpoint"])
    func `an endpoint is https, or http on this machine where the issuer is`(name: String) throws {
        #expect(try Self.read([(name, "https://id.example.com/x")]).json[name] == "https://id.example.com/x")
        #expect(try Self.read([(name, "http://127.0.0.1:9/x?y")]).json[name] == "http://127.0.0.1:9/x?y")
        #expect(throws: Fault(.unsafeEndpoint)) { try Self.read([(name, "http://id.example.com/x")]) }
        #expect(throws: Fault(.unsafeEndpoint)) { try Self.read([(name, "app://host/x")]) }
        for malformed: JSONValue in [
            "/x", "https://", "https://id.example.com/#x", "https://a@id.example.com/", 1, .null,
        ] {
            #expect(throws: Fault(.invalidMetadata)) { try Self.read([(name, malformed)]) }
        }
    }

    @Test func `an issuer elsewhere cannot point at this machine`() {
        let elsewhere = "https://id.example.com"
        #expect(throws: Fault(.unsafeEndpoint)) {
            try Self.read([("issuer", .string(elsewhere))], of: elsewhere)
        }
    }

    @Test func `a list of names is a list of names`() {
        #expect(throws: Fault(.invalidMetadata)) { try Self.read([("scopes_supported", "openid")]) }
        #expect(throws: Fault(.invalidMetadata)) { try Self.read([("scopes_supported", ["openid", 1])]) }
        #expect(throws: Fault(.invalidMetadata)) {
            try Self.read([("authorization_response_iss_parameter_supported", "true")])
        }
    }

    @Test func `metadata is one object`() {
        #expect(throws: Fault(.invalidMetadata)) { try ServerMetadata(json: [], expecting: Fixture.issuer) }
    }

    @Test(arguments: [
        ("http://localhost:8080", "http://localhost:8080/.well-known/oauth-authorization-server"),
        ("https://id.example.com/", "https://id.example.com/.well-known/oauth-authorization-server"),
        ("https://id.example.com/a/b", "https://id.example.com/.well-known/oauth-authorization-server/a/b"),
    ])
    func `RFC 8414 puts its path before the issuer's, and OpenID behind`(issuer: String, url: String) throws {
        #expect(try Discovery.authorizationServerURL(of: Issuer(issuer)) == url)
        let below = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        #expect(
            try Discovery.openIDConfigurationURL(of: Issuer(issuer)) == "\(below)/.well-known/openid-configuration")
    }
}
