import Basics
import OpenIDConnect
import Platform

/// `/authorize` (RFC 6749 §3.1): runs the steps, and turns a refusal into a redirect or a page.
struct AuthorizationEndpoint: Sendable {
    let context: ProviderContext

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        try await run(AuthorizationStep.all, AuthorizationExchange(http, context))
    }

    /// Runs steps until one of them ends the request.
    func run(_ steps: [AuthorizationStep], _ start: AuthorizationExchange) async throws -> HTTPResponse {
        var exchange = start
        do {
            for step in steps {
                guard let response = try await step.run(&exchange, context) else { continue }
                return giveCookie(exchange, response)
            }
            throw Fault(.internalFault, detail: "no authorization step answered")
        } catch let refusal as Refusal {
            return giveCookie(exchange, try await refuse(refusal, exchange))
        }
    }

    /// A refusal goes back to the app where its address is certain, and is a page for the person elsewhere.
    func refuse(_ refusal: Refusal, _ exchange: AuthorizationExchange) async throws -> HTTPResponse {
        guard let address = exchange.returnAddress, refusal.error.canRedirect else { throw refusal }
        if let interaction = exchange.interaction {
            _ = try await context.store.write(.normal) { transaction in
                try ProviderTables.interactions.remove(interaction.id, in: transaction)
            }
        }
        context.journal.record(refusal.entry(at: .authorize))
        let response = AuthorizationResponse(.refusal(refusal.error), state: address.state, issuer: context.issuer)
        return Responses.redirect(to: address.redirectURI.adding(query: response.fields))
    }

    private func giveCookie(_ exchange: AuthorizationExchange, _ response: HTTPResponse) -> HTTPResponse {
        guard exchange.cookieIsFresh, let (name, value) = exchange.cookie?.header(context) else { return response }
        var response = response
        response.headers.add(name, value)
        return response
    }
}

extension Refusal {
    /// What the log says: the wire's code, and the detail that the wire does not carry.
    func entry(at endpoint: Endpoint) -> JournalEntry {
        var fields: [String: JSONValue] = [
            "endpoint": .string(endpoint.path), "error": .string(error.code.rawValue),
        ]
        if let detail = error.detail { fields["detail"] = .string(detail) }
        return JournalEntry(.refused, error.description, code: .requestRefused, fields: fields)
    }
}
