import Basics
import JOSE

extension AuthorizationRequest {
    /// Reads a request from query or form fields.
    ///
    /// Unknown parameters are ignored (RFC 6749 §3.1).
    ///
    /// A request that carries `request` or `request_uri` is refused here, as its parameters are in that object alone
    /// (RFC 9101 §5): a server that takes it goes through `UnverifiedRequestObject`.
    ///
    /// - Throws: `OAuthError`; it cannot be redirected while `client_id` or `redirect_uri` is in doubt.
    package static func parse(_ fields: [(String, String)]) throws(OAuthError) -> AuthorizationRequest {
        let parameters = try RequestParameters(fields)
        let clientID = try parameters.required("client_id", canRedirect: false, ClientID.init)
        let redirectURI = try parameters.required("redirect_uri", canRedirect: false, RedirectURI.init)
        try refuseObjects(parameters)
        try requireCodeByQuery(parameters)
        return AuthorizationRequest(
            clientID: clientID,
            redirectURI: redirectURI,
            scope: try parameters.required("scope", code: .invalidScope, ScopeSet.init),
            state: try parameters.optional("state", State.init),
            nonce: try parameters.optional("nonce", Nonce.init),
            codeChallenge: try challenge(parameters),
            dpopThumbprint: try parameters.optional("dpop_jkt", KeyThumbprint.init),
            prompt: try parameters.optional("prompt", Prompt.init),
            maxAge: try maxAge(parameters),
            acrValues: try words(parameters, "acr_values"),
            loginHint: try loginHint(parameters))
    }

    private static func refuseObjects(_ parameters: RequestParameters) throws(OAuthError) {
        guard parameters["request"] == nil else {
            throw OAuthError(
                .requestNotSupported, "A request object is not taken here. Send the parameters themselves.")
        }
        guard parameters["request_uri"] == nil else {
            throw OAuthError(
                .requestURINotSupported, "request_uri is not taken here. Send the parameters themselves.")
        }
    }

    private static func requireCodeByQuery(_ parameters: RequestParameters) throws(OAuthError) {
        guard let type = parameters["response_type"] else {
            throw OAuthError(.invalidRequest, "response_type is missing (RFC 6749 §4.1.1). Send response_type=code.")
        }
        guard type == "code" else {
            throw OAuthError(.unsupportedResponseType, "The only response_type here is code. Send response_type=code.")
        }
        guard parameters["response_mode"] ?? "query" == "query" else {
            throw OAuthError(.invalidRequest, "The only response_mode here is query. Leave response_mode out.")
        }
    }

    private static func challenge(_ parameters: RequestParameters) throws(OAuthError) -> CodeChallenge {
        guard parameters["code_challenge"] != nil else {
            throw OAuthError(
                .invalidRequest, "PKCE is required and code_challenge is missing (RFC 7636 §4.4.1). Send one, by S256.")
        }
        // Without a method RFC 7636 §4.3 means plain, where whoever reads the request can redeem the code.
        guard parameters["code_challenge_method"] == "S256" else {
            throw OAuthError(
                .invalidRequest, "The only code_challenge_method here is S256 (RFC 7636 §4.3). Send S256.")
        }
        return try parameters.required("code_challenge", CodeChallenge.init)
    }

    private static func maxAge(_ parameters: RequestParameters) throws(OAuthError) -> Int? {
        guard let text = parameters["max_age"] else { return nil }
        let isNumber = (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, let seconds = Int(text) else {
            throw OAuthError(.invalidRequest, "max_age is a number of seconds, 0 or more. Send digits alone.")
        }
        return seconds
    }

    private static func words(_ parameters: RequestParameters, _ name: String) throws(OAuthError) -> [String] {
        guard let text = parameters[name] else { return [] }
        guard text.isVisibleASCII(atMost: 512) else {
            throw OAuthError(.invalidRequest, "\(name) is a list of names with spaces between them. Send it so.")
        }
        return text.split(separator: " ").map(String.init)
    }

    private static func loginHint(_ parameters: RequestParameters) throws(OAuthError) -> String? {
        guard let hint = parameters["login_hint"] else { return nil }
        let isText = hint.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard hint.utf8.count <= 512, isText else {
            throw OAuthError(.invalidRequest, "login_hint is longer than 512 bytes or has control characters.")
        }
        return hint
    }
}

/// The parameters of one request: none sent twice, and none counted that has no value (RFC 6749 §3.1).
private struct RequestParameters {
    private var values: [String: String] = [:]

    init(_ fields: [(String, String)]) throws(OAuthError) {
        var seen: Set<String> = []
        for (name, value) in fields {
            guard seen.insert(name).inserted else {
                throw OAuthError(
                    .invalidRequest, "A parameter is sent twice (RFC 6749 §3.1). Send each one once.",
                    detail: name, canRedirect: false)
            }
            if !value.isEmpty { values[name] = value }
        }
    }

    subscript(_ name: String) -> String? { values[name] }

    func optional<Value>(_ name: String, _ make: (String) throws(Fault) -> Value) throws(OAuthError) -> Value? {
        guard let text = values[name] else { return nil }
        do throws(Fault) { return try make(text) } catch { throw OAuthError(.invalidRequest, error) }
    }

    func required<Value>(
        _ name: String, code: OAuthError.Code = .invalidRequest, canRedirect: Bool? = nil,
        _ make: (String) throws(Fault) -> Value
    ) throws(OAuthError) -> Value {
        guard let text = values[name] else {
            throw OAuthError(code, "\(name) is missing. Send it.", canRedirect: canRedirect)
        }
        do throws(Fault) { return try make(text) } catch { throw OAuthError(code, error, canRedirect: canRedirect) }
    }
}
