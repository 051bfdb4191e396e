import Basics
import OpenIDConnect
import Platform

/// `POST /authorize-challenge`, in the manner of OAuth 2.0 for First-Party Applications: the authenticated client gets a
/// code for itself, or, as a broker, for another client.
struct ChallengeEndpoint: Sendable {
    let context: ProviderContext

    private static let variants: [any ChallengeVariant.Type] = [
        RequestObjectChallenge.self, InitiatedChallenge.self, LoginChallenge.self,
    ]

    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        let form = try Parameters(http)
        let caller = try await ChallengeCaller.authenticate(http, form, context)
        switch try await variant(form).run(form, caller, context) {
        case .code(let draft, let mark):
            return try await issue(draft, mark, to: caller, isAllowedNow: form["consent"] == "given")
        case .signIn(let words): throw try await ChallengeSession.insufficient(words, for: caller, context)
        case .again(let words, let session, let tries):
            throw try await ChallengeSession.insufficient(
                words, for: caller, continuing: session, tries: tries, context)
        }
    }

    private func variant(_ form: Parameters) throws -> any ChallengeVariant.Type {
        let named = ChallengeEndpoint.variants.filter {
            $0.parameter.map { form[$0] != nil } ?? (form["username"] != nil)
        }
        guard named.count <= 1 else {
            throw Refusal(.invalidRequest, "request, for_client and username are three ways of asking. Send one.")
        }
        return named.first ?? LoginChallenge.self
    }

    /// One commit: the request object's mark is used up, the consent is on record, and the code exists.
    ///
    /// - Parameter isAllowedNow: whether the person was asked for this very code; else what they took back here is no
    ///   consent any more, whatever the broker has on record.
    private func issue(
        _ draft: CodeDraft, _ mark: SingleUseMark?, to caller: ChallengeCaller, isAllowedNow: Bool
    ) async throws -> HTTPResponse {
        let (code, family, now) = (Secret(context.randomText()), context.randomText(bytes: 16), context.now)
        let lifetime = context.configuration.codeLifetime
        let consent = draft.consent(issuer: context.issuer, at: now, through: caller.client.id)
        let isForAnother = draft.client.id != caller.client.id
        try await context.store.write(.full) { transaction in
            if let mark { guard try mark.take(in: transaction) else { throw mark.refusal } }
            if isForAnother {
                guard try isAllowedNow || !consent.isWithdrawn(in: transaction) else {
                    throw Refusal(
                        .consentRequired,
                        "The person took back what they allowed. Ask them, then repeat the call with consent=given.")
                }
                try consent.put(in: transaction)
            }
            try CodeIssuer.issue(draft, code: code, family: family, at: now, lifetime: lifetime, in: transaction)
        }
        await context.boundary(.providerCodeCommitted)
        context.journal.record(
            JournalEntry(
                .decided, "A code was issued to a broker.",
                fields: ["broker": .string(caller.client.id.text), "client": .string(draft.client.id.text)]))
        return Responses.json([
            "authorization_code": .string(code.unmasked), "expires_in": .integer(lifetime.components.seconds),
            "iss": .string(context.issuer.text),
        ])
    }
}
