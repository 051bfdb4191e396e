import Basics
import OpenIDConnect

/// `authorization_code` (RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 9449 §10).
enum AuthorizationCodeGrant: TokenGrant {
    static let type = RegisteredClient.GrantType.authorizationCode

    static func present(_ request: TokenRequest) throws -> Presentation {
        let code = try request.form.required("code")
        let redirectURI = try request.form.required("redirect_uri")
        let verifierText = try request.form.required("code_verifier")
        let verifier = try refusing(
            .invalidGrant,
            "The code_verifier is not one. Send the 43 to 128 characters that the challenge was made from."
        ) {
            request.client.client.isClassic ? try CodeVerifier(classic: verifierText) : try CodeVerifier(verifierText)
        }
        let (client, provedKey) = (request.client.client.id, request.provedKey)
        return Presentation(
            table: ProviderTables.codes, credential: Secret(code),
            condition: { boundKey in
                CodeIssuer.binding(
                    client: client, redirectURI: redirectURI, challenge: verifier.challenge,
                    key: boundKey == nil ? nil : provedKey ?? "none")
            },
            narrowed: nil, isCode: true,
            refusal: Refusal(
                .invalidGrant,
                "The code is unknown, used, expired or bound to something else. Start a new authorization request."))
    }
}
