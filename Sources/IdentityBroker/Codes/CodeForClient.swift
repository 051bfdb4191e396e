import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect

/// Asks the provider for a code on a client's behalf, over HTTP and with the app's own authentication: there is no
/// other door.
struct CodeForClient: Sendable {
    let provider: ProviderConnection
    /// Whether the person allowed this very code, and not only one like it before.
    let isAllowedNow: Bool

    /// A code by the client's own request object, passed on unchanged.
    func code(
        request: String, tokens: TokenSet, flow: FlowID
    ) async throws -> Secret<String> {
        try await obtain([("request", request)] + proof(of: tokens), flow)
    }

    /// A code that this app initiates (keychain variant): the registry of the provider says for whom it may, and takes
    /// the client's key from there.
    func initiate(
        for client: AppRegistryEntry, challenge: CodeChallenge, nonce: Nonce, tokens: TokenSet, flow: FlowID
    ) async throws -> Secret<String> {
        guard let redirectURI = client.redirectURIs.first else { throw Fault(.unknownClientApp) }
        return try await initiate(
            for: client.clientID, redirectURI: redirectURI, scope: client.scopes, challenge: challenge, nonce: nonce,
            tokens: tokens, flow: flow)
    }

    /// The same for any client of a `may_initiate` row, a classic one among them, which has no nonce.
    func initiate(
        for client: ClientID, redirectURI: RedirectURI, scope: ScopeSet, challenge: CodeChallenge, nonce: Nonce?,
        tokens: TokenSet, flow: FlowID
    ) async throws -> Secret<String> {
        try await obtain(
            [
                ("for_client", client.text), ("redirect_uri", redirectURI.text), ("scope", scope.text),
                ("code_challenge", challenge.text), ("code_challenge_method", "S256"), ("response_type", "code"),
            ] + (nonce.map { [("nonce", $0.text)] } ?? []) + proof(of: tokens), flow)
    }

    /// What proves the account: an ID token for this app, and the device secret that its hash fits.
    private func proof(of tokens: TokenSet) throws -> [(String, String)] {
        guard let idToken = tokens.idToken, let secret = tokens.deviceSecret else { throw Fault(.loginRequired) }
        return [("id_token_hint", idToken.unmasked), ("device_secret", secret.unmasked)]
    }

    private func obtain(_ fields: [(String, String)], _ flow: FlowID) async throws -> Secret<String> {
        let consent = isAllowedNow ? [("consent", "given")] : []
        let answer = try await provider.challenge(fields + consent, flow: flow.text)
        guard let code = answer["authorization_code"]?.stringValue else { throw Fault(.providerAnswer) }
        return Secret(code)
    }
}
