import Platform

/// One step of the authorization endpoint.
///
/// It leaves what it found in the exchange, or ends the request: with a page for the person, with the response, or by
/// throwing a refusal.
struct AuthorizationStep: Sendable {
    let name: String
    let run: @Sendable (inout AuthorizationExchange, ProviderContext) async throws -> HTTPResponse?

    init(
        _ name: String,
        _ run: @escaping @Sendable (inout AuthorizationExchange, ProviderContext) async throws -> HTTPResponse?
    ) {
        self.name = name
        self.run = run
    }

    /// What reads the request.
    ///
    /// Until the redirect URI is certain a refusal is a page, and goes nowhere.
    static let reading: [AuthorizationStep] = [
        .findClient, .checkRedirectURI, .openRequestObject, .readParameters, .checkRegistration, .readHint,
    ]

    /// What decides it; these run again each time a person has answered a page.
    static let deciding: [AuthorizationStep] = [.findSession, .signIn, .consent, .issueCode, .respond]

    /// The whole endpoint, in its order.
    static let all = reading + deciding
}
