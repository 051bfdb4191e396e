import Basics
import OpenIDConnect

/// Why a person has to sign in before the request can go on: small rules, each with its reason.
struct SignInRule: Sendable {
    let reason: String
    let needsSignIn: @Sendable (AuthorizationRequest, AuthorizationExchange, Timestamp) -> Bool

    static let all: [SignInRule] = [
        SignInRule(reason: "Nobody is signed in.") { _, exchange, _ in exchange.possibleSession == nil },
        SignInRule(reason: "The app asks for a new sign-in.") { request, exchange, _ in
            request.prompt?.contains(.login) == true && exchange.interaction?.authenticatedAt == nil
        },
        SignInRule(reason: "The app asks which account.") { request, exchange, _ in
            request.prompt?.contains(.selectAccount) == true && exchange.interaction?.authenticatedAt == nil
        },
        SignInRule(reason: "You asked for another account.") { _, exchange, _ in
            exchange.interaction?.asksOtherAccount == true && exchange.interaction?.authenticatedAt == nil
        },
        SignInRule(reason: "The last sign-in is too long ago for the app.") { request, exchange, now in
            guard let maxAge = request.maxAge, let session = exchange.possibleSession else { return false }
            return exchange.interaction?.authenticatedAt == nil && now - session.authenticatedAt > .seconds(maxAge)
        },
        SignInRule(reason: "The app asks for another person than the one signed in.") { _, exchange, _ in
            guard let hinted = exchange.hintedSubject, let session = exchange.possibleSession else { return false }
            return exchange.interaction?.authenticatedAt == nil && hinted != session.subject
        },
    ]

    /// The first reason to ask, where there is one.
    static func reason(_ exchange: AuthorizationExchange, at now: Timestamp) throws -> String? {
        let request = try exchange.request
        return all.first { $0.needsSignIn(request, exchange, now) }?.reason
    }
}
