package import Basics
package import JOSE
package import OpenIDConnect
package import Platform

/// One app's connection to one OpenID provider: metadata and keys are fetched once, every request carries the app's
/// key proof, and errors come back as the product's own.
package actor ProviderConnection {
    /// How the app proves itself at the token endpoint.
    package enum Authentication: Sendable {
        /// A public client: its DPoP proof is all it has.
        case keyProofOnly
        /// `private_key_jwt` beside the DPoP proof.
        case assertion
    }

    package nonisolated let issuer: Issuer
    package nonisolated let clientID: ClientID
    /// The thumbprint of the key that every request of this connection proves.
    package nonisolated var keyID: String { key.keyID }
    private let key: SigningKey
    private let authentication: Authentication
    private let http: any HTTPClient
    private let environment: Environment
    private let journal: any Journal
    private var cachedMetadata: ServerMetadata?
    private var cachedKeys: JWKSet?

    /// Makes a connection; nothing is sent yet.
    package init(
        issuer: Issuer, clientID: ClientID, key: SigningKey, authentication: Authentication, http: any HTTPClient,
        environment: Environment, journal: any Journal
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.key = key
        self.authentication = authentication
        self.http = http
        self.environment = environment
        self.journal = journal
    }

    // MARK: - What the provider says of itself

    /// The provider's metadata (OpenID Connect Discovery §4), fetched once.
    ///
    /// - Throws: `issuer-mismatch` when it names another issuer than the one asked.
    package func metadata(flow: String? = nil) async throws -> ServerMetadata {
        if let cachedMetadata { return cachedMetadata }
        let json = try await json(HTTPCall("GET", Discovery.openIDConfigurationURL(of: issuer)), flow: flow)
        let metadata = try ServerMetadata(json: json, expecting: issuer)
        cachedMetadata = metadata
        return metadata
    }

    private func keys(refreshed: Bool, flow: String?) async throws -> JWKSet {
        if !refreshed, let cachedKeys { return cachedKeys }
        let keys = try JWKSet(try await json(HTTPCall("GET", try await metadata(flow: flow).jwksURI), flow: flow))
        cachedKeys = keys
        return keys
    }

    /// Checks an ID token by the rules of OpenID Connect Core §3.1.3.7; an unknown key makes one new fetch of the keys.
    package func verify(
        idToken: String, nonce: Nonce?, maxAge: Int? = nil, accessToken: String?, flow: String? = nil
    ) async throws -> IDToken {
        try await trusting(flow) { issuer in
            try IDTokenVerifier(issuer).verify(
                idToken, nonce: nonce, maxAge: maxAge, requestedAt: nil, accessToken: accessToken, code: nil,
                now: environment.now())
        }
    }

    /// Checks a logout token by the rules of OpenID Connect Back-Channel Logout §2.6; that it counts once is the
    /// caller's to keep.
    package func verify(logoutToken: String) async throws -> LogoutToken {
        try await trusting(nil) { try LogoutTokenVerifier($0).verify(logoutToken, now: environment.now()) }
    }

    /// Checks a token with the issuer's keys; an unknown key makes one new fetch of them.
    private func trusting<Token>(_ flow: String?, _ check: (TrustedIssuer) throws -> Token) async throws -> Token {
        var trusted = TrustedIssuer(
            issuer: issuer, clientID: clientID, algorithms: [.es256, .rs256],
            keys: try await keys(refreshed: false, flow: flow))
        do {
            return try check(trusted)
        } catch ErrorCode.unknownTokenKey {
            trusted.keys = try await keys(refreshed: true, flow: flow)
            return try check(trusted)
        }
    }

    // MARK: - Requests

    /// Posts to the token endpoint (RFC 6749 §3.2) with the client's authentication and proof.
    package func token(_ fields: [(String, String)], flow: String?) async throws -> TokenResponse {
        let endpoint = try await metadata(flow: flow).tokenEndpoint
        return try TokenResponse(json: try await post(endpoint, fields, flow: flow))
    }

    /// Posts to the authorization challenge endpoint (OAuth 2.0 for First-Party Applications).
    package func challenge(_ fields: [(String, String)], flow: String?) async throws -> JSONValue {
        guard let endpoint = try await metadata(flow: flow).authorizationChallengeEndpoint else {
            throw Fault(.cannotBroker)
        }
        return try await post(endpoint, fields, flow: flow)
    }

    /// Has the provider end sessions (docs/handoff-protocol.md); `nil` from one that does not know how.
    package func logoutSessions(_ fields: [(String, String)], flow: String?) async throws -> JSONValue? {
        guard let endpoint = try await metadata().logoutSessionsEndpoint else { return nil }
        return try await post(endpoint, fields, flow: flow)
    }

    /// Revokes a token (RFC 7009). A provider without the endpoint has nothing to revoke at.
    package func revoke(_ token: Secret<String>, flow: String? = nil) async throws {
        guard let endpoint = try await metadata(flow: flow).revocationEndpoint else { return }
        _ = try await post(endpoint, [("token", token.unmasked)], flow: flow, expectsJSON: false)
    }

    /// Reads the user's claims (OpenID Connect Core §5.3).
    package func userInfo(_ tokens: TokenSet, subject: Subject, flow: String?) async throws -> UserInfo {
        guard let endpoint = try await metadata(flow: flow).userinfoEndpoint else {
            return try UserInfo(json: ["sub": .string(subject.text)], expecting: subject)
        }
        var call = HTTPCall("GET", endpoint)
        let token = tokens.accessToken.unmasked
        if tokens.tokenType.lowercased() == "dpop" {
            call.headers.add("Authorization", "DPoP \(token)")
            call.headers.add("DPoP", try proof("GET", endpoint, accessToken: token, nonce: nil))
        } else {
            call.headers.add("Authorization", "Bearer \(token)")
        }
        return try UserInfo(json: try await json(call, flow: flow), expecting: subject)
    }

    /// A proof for one request with an access token (RFC 9449 §7.1), for a caller that sends it itself.
    package func proof(
        _ method: String, _ url: String, accessToken: String?, nonce: String? = nil
    ) throws -> String {
        try DPoPProof.signed(
            method: method, url: url, accessToken: accessToken, nonce: nonce, id: newID(), now: environment.now(),
            key: key)
    }

    private func newID() -> String { Base64URL.encode(environment.randomBytes(16)) }

    private func post(
        _ url: String, _ fields: [(String, String)], flow: String?, expectsJSON: Bool = true
    ) async throws -> JSONValue {
        var fields = fields
        switch authentication {
        case .keyProofOnly:
            fields.append(("client_id", clientID.text))
        case .assertion:
            fields.append(("client_id", clientID.text))
            fields.append(("client_assertion_type", ClientAssertion.type))
            fields.append(
                (
                    "client_assertion",
                    try ClientAssertion.signed(
                        clientID: clientID, audience: issuer, id: newID(), now: environment.now(), key: key)
                ))
        }
        var call = HTTPCall("POST", url, body: Array(FormFields(fields).encoded.utf8))
        call.headers.add("Content-Type", "application/x-www-form-urlencoded")
        call.headers.set("DPoP", try proof("POST", url, accessToken: nil))
        do {
            return try await json(call, flow: flow, expectsJSON: expectsJSON)
        } catch let error as OAuthError where error.code == .useDPoPNonce {
            // The provider wants its nonce in the proof (RFC 9449 §8); asked for once, given once.
            guard let nonce = error.members["dpop_nonce"]?.stringValue else { throw error }
            call.headers.set("DPoP", try proof("POST", url, accessToken: nil, nonce: nonce))
            return try await json(call, flow: flow, expectsJSON: expectsJSON)
        }
    }

    /// Sends a call and reads the JSON answer.
    ///
    /// - Throws: `OAuthError` where the answer is one, `provider-answer` where it is neither.
    private func json(_ call: HTTPCall, flow: String?, expectsJSON: Bool = true) async throws -> JSONValue {
        var call = call
        call.headers.set("Accept", "application/json")
        let path = shownPath(of: call.url)
        let response = try await send(call, path, flow: flow)
        let json = try? JSONValue(parsing: response.body, limits: .init(bytes: 1 << 20, depth: 16))
        guard (200..<300).contains(response.status) else {
            guard let json, json["error"] != nil else {
                throw Fault(
                    .providerAnswer, "The provider answered \(response.status) to \(call.method) \(path).")
            }
            var error = OAuthError(json: json, status: response.status)
            if let nonce = response.headers.single("DPoP-Nonce") { error.members["dpop_nonce"] = .string(nonce) }
            throw error
        }
        if let json { return json }
        guard !expectsJSON else {
            throw Fault(.providerAnswer, "The answer to \(call.method) \(path) is not JSON.")
        }
        return .null
    }

    /// Sends a call and journals how it went, and how long it took. What the provider writes of it has the same span.
    private func send(_ call: HTTPCall, _ path: String, flow: String?) async throws -> HTTPResponse {
        var call = call
        let trace = flow.flatMap { TraceContext(flow: $0, spanBytes: environment.randomBytes(8)) }
        if let trace { call.headers.set("traceparent", trace.text) }
        let (request, began) = ("\(call.method) \(path)", environment.now())
        var fields: [String: JSONValue] = [
            "method": .string(call.method), "path": .string(path), "issuer": .string(issuer.text),
        ]
        fields["span"] = trace.map { .string($0.span) }
        func elapsed() -> JSONValue { .integer((environment.now() - began).wholeMicroseconds) }
        do {
            let response = try await http.send(call)
            fields["status"] = .integer(Int64(response.status))
            fields["microseconds"] = elapsed()
            journal.record(JournalEntry(.http, flow: flow, "\(request) → \(response.status)", fields: fields))
            return response
        } catch {
            let code = (error as? any CodedError)?.code ?? .cancelled
            fields["microseconds"] = elapsed()
            journal.record(JournalEntry(.http, flow: flow, "\(request): no answer", code: code, fields: fields))
            throw error
        }
    }

    /// The address as logs have it: without a query, and with the host where it is not the issuer's.
    private func shownPath(of url: String) -> String {
        guard let parts = URLParts(url) else { return "?" }
        return parts.authority == issuer.authority ? parts.path : parts.origin + parts.path
    }
}
