import Basics
package import JOSE

/// What a client asks the authorization endpoint: a code by PKCE S256, and nothing else (RFC 6749 §4.1.1, OpenID
/// Connect Core §3.1.2.1).
///
/// The response comes back in the query.
package struct AuthorizationRequest: Sendable, Hashable, Codable {
    /// `client_id`.
    package var clientID: ClientID
    /// `redirect_uri`, always sent.
    package var redirectURI: RedirectURI
    /// `scope`.
    package var scope: ScopeSet
    /// `state`.
    package var state: State?
    /// `nonce`.
    package var nonce: Nonce?
    /// `code_challenge`; its method is S256.
    package var codeChallenge: CodeChallenge
    /// `dpop_jkt`: the key that alone may redeem the code (RFC 9449 §10).
    package var dpopThumbprint: KeyThumbprint?
    /// `prompt`.
    package var prompt: Prompt?
    /// `max_age`, in seconds.
    package var maxAge: Int?
    /// `acr_values`, in the client's order of preference.
    package var acrValues: [String]
    /// `login_hint`.
    package var loginHint: String?

    package init(
        clientID: ClientID, redirectURI: RedirectURI, scope: ScopeSet, state: State? = nil, nonce: Nonce? = nil,
        codeChallenge: CodeChallenge, dpopThumbprint: KeyThumbprint? = nil, prompt: Prompt? = nil, maxAge: Int? = nil,
        acrValues: [String] = [], loginHint: String? = nil
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scope = scope
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
        self.dpopThumbprint = dpopThumbprint
        self.prompt = prompt
        self.maxAge = maxAge
        self.acrValues = acrValues
        self.loginHint = loginHint
    }

    /// The request as query or form fields; `parse` gives the same request back.
    package var fields: [(String, String)] {
        let optional: [(String, String?)] = [
            ("response_type", "code"), ("client_id", clientID.text), ("redirect_uri", redirectURI.text),
            ("scope", scope.text), ("state", state?.text), ("nonce", nonce?.text),
            ("code_challenge", codeChallenge.text), ("code_challenge_method", "S256"),
            ("dpop_jkt", dpopThumbprint?.value), ("prompt", prompt?.text), ("max_age", maxAge.map(String.init)),
            ("acr_values", acrValues.isEmpty ? nil : acrValues.joined(separator: " ")), ("login_hint", loginHint),
        ]
        return optional.compactMap { name, value in value.map { (name, $0) } }
    }
}
