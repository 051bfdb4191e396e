import Basics
import OpenIDConnect
import Platform

/// `POST /consent`: the answer to the consent page.
struct ConsentEndpoint: Sendable {
    let context: ProviderContext

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        let form = try Parameters(http)
        let (interaction, cookie, browser) = try Interaction.open(form, http, context)
        let endpoint = AuthorizationEndpoint(context: context)
        let exchange = AuthorizationExchange(
            resuming: interaction, client: try interaction.client(context), cookie: cookie,
            sessionID: browser.sessionID)
        switch form["choice"] {
        case "allow":
            return try await endpoint.run(AuthorizationStep.deciding, try await allow(exchange, interaction))
        case "other":
            var changed = exchange
            _ = try await changed.waiting(context) { interaction in
                interaction.asksOtherAccount = true
                interaction.authenticatedAt = nil
                interaction.askedConsent = nil
            }
            return try await endpoint.run(AuthorizationStep.deciding, changed)
        case "deny":
            let refusal = Refusal(.accessDenied, "The person did not allow it. Ask again when they want to.")
            return try await endpoint.refuse(refusal, exchange)
        default: throw Refusal.foreignInteraction
        }
    }

    /// Records the consent, if it is the one that the page asked for: the same person, client, key and scope.
    private func allow(
        _ exchange: AuthorizationExchange, _ interaction: Interaction
    ) async throws -> AuthorizationExchange {
        var exchange = exchange
        guard let found = try exchange.sessionID.flatMap({ try ProviderSession.alive($0, context) }) else {
            return exchange
        }
        exchange.set(session: found)
        let given = try exchange.draft(context).consent(issuer: context.issuer, at: context.now)
        guard given.key == interaction.askedConsent else { return exchange }
        var allowed = interaction
        allowed.givenConsent = given.key
        try await context.store.write(.full) { [allowed] transaction in
            try given.put(in: transaction)
            try allowed.put(in: transaction)
        }
        exchange.interaction = allowed
        return exchange
    }
}
