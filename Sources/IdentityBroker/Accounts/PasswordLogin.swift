package import Basics
package import Handoff
package import IdentityClient
import JOSE
package import OpenIDConnect
package import Platform

/// The identity provider app's own login: name and password at the authorization challenge endpoint, as the
/// provider's first-party client, then a code of its own that it redeems like any client.
package struct PasswordLogin: Sendable {
    private let provider: ProviderConnection
    private let environment: Environment
    private let redirectURI: RedirectURI
    private let scope: ScopeSet

    package init(
        provider: ProviderConnection, surroundings: Surroundings, redirectURI: RedirectURI, scope: ScopeSet
    ) {
        self.provider = provider
        environment = surroundings.environment
        self.redirectURI = redirectURI
        self.scope = scope
    }

    /// Tries one name and password.
    ///
    /// - Throws: `OAuthError` with `insufficient_authorization` for a miss; its description says how many tries are
    ///   left.
    package func attempt(
        username: String, password: Secret<String>, session: String?, flow: FlowID?
    ) async throws -> (account: UserAccount, tokens: TokenSet) {
        let verifier = CodeVerifier(randomBytes: environment.randomBytes(32))
        let nonce = try Nonce(Base64URL.encode(environment.randomBytes(16)))
        var fields = [
            ("username", username), ("password", password.unmasked), ("scope", scope.text),
            ("code_challenge", verifier.challenge.text), ("code_challenge_method", "S256"), ("nonce", nonce.text),
            ("redirect_uri", redirectURI.text), ("response_type", "code"),
        ]
        if let session { fields.append(("auth_session", session)) }
        let answer = try await provider.challenge(fields, flow: flow?.text)
        guard let code = answer["authorization_code"]?.stringValue else { throw Fault(.providerAnswer) }
        let redemption = CodeRedemption(
            code: Secret(code), verifier: verifier, redirectURI: redirectURI, nonce: nonce, expectedSubject: nil,
            requestedScope: scope, flow: flow?.text)
        return try await redemption.redeem(at: provider, repeating: Repetition(in: environment))
    }
}
