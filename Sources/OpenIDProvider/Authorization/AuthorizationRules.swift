import OpenIDConnect

/// What a client may ask for a code, whoever brings the request: small rules, each with its reason.
struct AuthorizationRule: Sendable {
    let refusal: Refusal
    let isKept: @Sendable (AuthorizationRequest, RegisteredClient) -> Bool

    static let all: [AuthorizationRule] = [
        AuthorizationRule(
            refusal: Refusal(
                .invalidRedirectURI, "The redirect_uri is not registered for this client. Register exactly this one.")
        ) { request, client in client.hasRegistered(request.redirectURI) },
        AuthorizationRule(
            refusal: Refusal(.unauthorizedClient, "The client is not registered for codes. Register the grant type.")
        ) { _, client in client.grantTypes.contains(.authorizationCode) },
        AuthorizationRule(
            refusal: Refusal(.invalidScope, "The scope is wider than the client registered. Ask for less, or register.")
        ) { request, client in request.scope.isSubset(of: client.scopes) },
        AuthorizationRule(
            refusal: Refusal(.invalidScope, "The scope device_sso is for brokers. Ask without it.")
        ) { request, client in client.isBroker || !request.scope.contains("device_sso") },
    ]

    static func check(_ request: AuthorizationRequest, _ client: RegisteredClient) throws {
        for rule in all where !rule.isKept(request, client) { throw rule.refusal }
    }
}
