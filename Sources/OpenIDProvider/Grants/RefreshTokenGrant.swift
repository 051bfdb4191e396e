import Basics
import OpenIDConnect

/// `refresh_token` (RFC 6749 §6), with rotation (RFC 9700 §4.14.2).
enum RefreshTokenGrant: TokenGrant {
    static let type = RegisteredClient.GrantType.refreshToken

    static func present(_ request: TokenRequest) throws -> Presentation {
        let token = try request.form.required("refresh_token")
        let narrowed = try request.form["scope"].map { text in
            try refusing(.invalidScope, "The scope is not a list of names with single spaces.") { try ScopeSet(text) }
        }
        let (client, provedKey) = (request.client.client.id, request.provedKey)
        return Presentation(
            table: ProviderTables.refreshTokens, credential: Secret(token),
            condition: { boundKey in binding(client: client, key: boundKey == nil ? nil : provedKey ?? "none") },
            narrowed: narrowed, isCode: false,
            refusal: Refusal(
                .invalidGrant,
                "The refresh token is unknown, used, expired, revoked or bound to something else. Sign in again."))
    }

    /// The condition of a refresh token: a hash over client and key.
    static func binding(client: ClientID, key: String?) -> String {
        combinedDigest(["refresh", client.text, key ?? "-"])
    }
}
