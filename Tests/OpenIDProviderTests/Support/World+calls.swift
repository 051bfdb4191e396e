import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform

/// An answer, with its JSON where it has some.
struct Reply: Sendable {
    let http: HTTPResponse

    var status: Int { http.status }
    var json: JSONValue { (try? JSONValue(parsing: http.body)) ?? .null }
    var error: String? { json["error"]?.stringValue }
    var text: String { String(decoding: http.body, as: UTF8.self) }
    var location: String? { http.headers.single("Location") }

    func string(_ name: String) throws -> String {
        guard let text = json[name]?.stringValue else { throw MissingMember(name: name, answer: text) }
        return text
    }

    /// The fields of the redirect.
    var redirectFields: FormFields {
        let query = location.flatMap { $0.split(separator: "?", maxSplits: 1).dropFirst().first } ?? ""
        return (try? FormFields(parsing: String(query))) ?? FormFields()
    }
}

/// A test asked for a member that the answer does not have; the answer is shown.
struct MissingMember: Error {
    let name: String
    let answer: String
}

extension World {
    func get(_ path: String, query: [(String, String)] = [], headers: HTTPHeaders = [:]) async -> Reply {
        let text = query.isEmpty ? nil : FormFields(query).encoded
        return Reply(
            http: await server.respond(to: HTTPRequest(method: "GET", path: path, query: text, headers: headers)))
    }

    func post(_ endpoint: Endpoint, _ fields: [(String, String)], headers: HTTPHeaders = [:]) async -> Reply {
        var headers = headers
        headers.add("Content-Type", "application/x-www-form-urlencoded")
        let body = Array(FormFields(fields).encoded.utf8)
        return Reply(
            http: await server.respond(
                to: HTTPRequest(method: "POST", path: endpoint.path, headers: headers, body: body)))
    }

    /// The header with a proof of that key.
    func proof(
        _ key: SigningKey, _ endpoint: Endpoint, method: String = "POST", accessToken: String? = nil, id: String? = nil
    ) throws -> HTTPHeaders {
        let proof = try DPoPProof.signed(
            method: method, url: issuer.url(endpoint.path), accessToken: accessToken, nonce: nil, id: id ?? freshID(),
            now: clock.now, key: key)
        return ["DPoP": proof]
    }

    /// The fields by which an app authenticates with its key.
    func assertion(_ app: App, id: String? = nil) throws -> [(String, String)] {
        let assertion = try ClientAssertion.signed(
            clientID: app.id, audience: issuer, id: id ?? freshID(), now: clock.now, key: app.key)
        return [("client_assertion_type", ClientAssertion.type), ("client_assertion", assertion)]
    }

    /// A fresh verifier.
    func verifier() -> CodeVerifier { CodeVerifier(randomBytes: environment.randomBytes(32)) }

    /// Redeems a code with a proof of the given key, or with none.
    func redeem(
        _ code: String, of app: App, _ verifier: CodeVerifier, key: SigningKey?, redirectURI: String? = nil,
        clientFields: [(String, String)]? = nil
    ) async throws -> Reply {
        let fields: [(String, String)] = [
            ("grant_type", "authorization_code"), ("code", code),
            ("redirect_uri", redirectURI ?? app.redirectURI.text), ("code_verifier", verifier.text.unmasked),
        ]
        return await post(
            .token, fields + (clientFields ?? [("client_id", app.id.text)]),
            headers: try key.map { try proof($0, .token) } ?? [:])
    }

    /// Uses a refresh token with a proof of the given key, or with none.
    func refresh(
        _ token: String, of app: App, key: SigningKey?, scope: String? = nil, clientFields: [(String, String)]? = nil
    ) async throws -> Reply {
        var fields = [("grant_type", "refresh_token"), ("refresh_token", token)]
        if let scope { fields.append(("scope", scope)) }
        return await post(
            .token, fields + (clientFields ?? [("client_id", app.id.text)]),
            headers: try key.map { try proof($0, .token) } ?? [:])
    }

    /// Asks who the token is about, with a proof of the given key, or as a bearer token.
    func userInfo(_ accessToken: String, key: SigningKey?) async throws -> Reply {
        var headers = HTTPHeaders()
        if let key { headers = try proof(key, .userInfo, method: "GET", accessToken: accessToken) }
        headers.add("Authorization", "\(key == nil ? "Bearer" : "DPoP") \(accessToken)")
        return await get("/userinfo", headers: headers)
    }

    /// Checks an ID token as a client does.
    func idToken(
        _ reply: Reply, for app: App, _ algorithm: SignatureAlgorithm, nonce: Nonce? = nil
    ) throws -> IDToken {
        try IDTokenVerifier(trusted(by: app, algorithm)).verify(
            try reply.string("id_token"), nonce: nonce, maxAge: nil, requestedAt: nil,
            accessToken: try reply.string("access_token"), code: nil, now: clock.now)
    }

    /// This provider, as an app trusts it that was registered with one algorithm.
    func trusted(by app: App, _ algorithm: SignatureAlgorithm) -> TrustedIssuer {
        TrustedIssuer(issuer: issuer, clientID: app.id, algorithms: [algorithm], keys: keys.set)
    }
}
