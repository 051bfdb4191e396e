import Basics
import OpenIDConnect
import Platform

/// The steps that decide a request.
extension AuthorizationStep {
    static let findSession = AuthorizationStep("find session") { exchange, context in
        exchange.set(session: try exchange.sessionID.flatMap { try ProviderSession.alive($0, context) })
        return nil
    }

    static let signIn = AuthorizationStep("sign in") { exchange, context in
        if let reason = try SignInRule.reason(exchange, at: context.now) {
            guard try exchange.request.prompt?.contains(.none) != true else {
                throw Refusal(.loginRequired, "\(reason) Ask again without prompt=none.")
            }
            let interaction = try await exchange.waiting(context)
            return SignInPage(context: context, client: try exchange.client, interaction: interaction).response()
        }
        // Someone else than the hinted person has signed in: the app gets no other account than the one it asked for.
        if let hinted = exchange.hintedSubject, try exchange.session.subject != hinted {
            throw Refusal(.loginRequired, "Another person signed in than the one in id_token_hint. Ask without a hint.")
        }
        return nil
    }

    static let consent = AuthorizationStep("consent") { exchange, context in
        let (client, request) = (try exchange.client, try exchange.request)
        guard !client.isFirstParty else { return nil }
        let wanted = try exchange.draft(context).consent(issuer: context.issuer, at: context.now)
        let isGivenNow = exchange.interaction?.givenConsent == wanted.key
        let isGivenBefore = try context.store.read { try ProviderTables.consents.find(wanted.key, in: $0) != nil }
        if isGivenNow || (isGivenBefore && request.prompt?.contains(.consent) != true) { return nil }
        guard request.prompt?.contains(.none) != true else {
            throw Refusal(.consentRequired, "The person has not allowed this yet. Ask again without prompt=none.")
        }
        let interaction = try await exchange.waiting(context) { $0.askedConsent = wanted.key }
        return ConsentPage(
            context: context, client: client, interaction: interaction, user: try exchange.user, consent: wanted
        ).response()
    }

    /// One commit: the page's answer and the request object's mark are used up, and the code exists.
    static let issueCode = AuthorizationStep("issue code") { exchange, context in
        let (draft, now) = (try exchange.draft(context), context.now)
        let (code, family) = (Secret(context.randomText()), context.randomText(bytes: 16))
        let (interaction, mark, lifetime) = (
            exchange.interaction, exchange.requestObject, context.configuration.codeLifetime
        )
        try await context.store.write(.full) { transaction in
            if let interaction {
                let taken = try ProviderTables.interactions.take(interaction.id, in: transaction)
                guard taken != nil else { throw Refusal.staleInteraction }
            }
            if let mark { guard try mark.take(in: transaction) else { throw mark.refusal } }
            try CodeIssuer.issue(draft, code: code, family: family, at: now, lifetime: lifetime, in: transaction)
        }
        exchange.code = code
        context.journal.record(
            JournalEntry(.decided, "A code was issued.", fields: ["client": .string(draft.client.id.text)]))
        return nil
    }

    static let respond = AuthorizationStep("respond") { exchange, context in
        guard let address = exchange.returnAddress, let code = exchange.code else {
            throw Fault(.internalFault, detail: "an authorization step ran too early")
        }
        let response = AuthorizationResponse(.code(code), state: address.state, issuer: context.issuer)
        return Responses.redirect(to: address.redirectURI.adding(query: response.fields))
    }
}

extension AuthorizationExchange {
    /// The code that this request asks for.
    func draft(_ context: ProviderContext) throws -> CodeDraft {
        let request = try request
        return CodeDraft(
            client: try client, redirectURI: request.redirectURI, challenge: request.codeChallenge,
            keyThumbprint: request.dpopThumbprint, scope: request.scope, nonce: request.nonce, session: try session)
    }

    /// The request as it waits for a person: stored, and bound to this browser.
    mutating func waiting(
        _ context: ProviderContext, _ change: (inout Interaction) -> Void = { _ in }
    ) async throws -> Interaction {
        let cookie = cookie ?? BrowserCookie.fresh(context)
        let isFresh = self.cookie == nil
        var waiting =
            try interaction
            ?? Interaction(
                id: context.randomText(bytes: 16), token: context.randomText(), browser: cookie.key,
                request: try request, requestObject: requestObject, hintedSubject: hintedSubject,
                expires: context.now + context.configuration.interactionLifetime)
        change(&waiting)
        let record = BrowserRecord(sessionID: nil, expires: context.now + context.configuration.sessionLifetime)
        try await context.store.write(.normal) { [waiting] transaction in
            if isFresh {
                try ProviderTables.browsers.put(cookie.key, record, expires: record.expires, in: transaction)
            }
            try waiting.put(in: transaction)
        }
        if isFresh {
            self.cookie = cookie
            cookieIsFresh = true
        }
        interaction = waiting
        return waiting
    }
}
