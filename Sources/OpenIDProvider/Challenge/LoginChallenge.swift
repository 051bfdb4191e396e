import Basics
import OpenIDConnect
import Platform

/// The broker's own sign-in: the name and password that its person typed there, for a code of the broker itself.
enum LoginChallenge: ChallengeVariant {
    static let parameter: String? = nil

    static func run(
        _ form: Parameters, _ caller: ChallengeCaller, _ context: ProviderContext
    ) async throws -> ChallengeOutcome {
        guard caller.client.isFirstParty else {
            throw Refusal(
                .redirectToWeb, "This client may not take passwords. Send the person to the authorization endpoint.")
        }
        let request = try form.authorizationRequest(of: caller.client.id)
        try AuthorizationRule.check(request, caller.client)
        guard request.dpopThumbprint == nil || request.dpopThumbprint == caller.keyThumbprint else {
            throw Refusal(.invalidRequest, "dpop_jkt is another key than the proof's. Leave it out.")
        }
        let (id, begun) = try begun(form, caller, context)
        guard let username = form["username"], let password = form["password"] else {
            return .again(words: "Send username and password.", session: id, tries: begun?.tries ?? 0)
        }
        let tries = begun?.tries ?? 0
        guard tries < context.configuration.passwordTries else { throw throttled(context) }
        switch try await PasswordCheck.run(username, Secret(password), context) {
        case .wrong(let left):
            return .again(words: PasswordCheck.words(left: left), session: id, tries: tries + 1)
        case .throttled: throw throttled(context)
        case .right(let user):
            let session = ProviderSession.start(user.subject, context)
            try await context.store.write(.full) { transaction in
                try session.put(in: transaction)
                if let id { try ProviderTables.challenges.remove(storedDigest(id), in: transaction) }
            }
            let draft = CodeDraft(
                client: caller.client, redirectURI: request.redirectURI, challenge: request.codeChallenge,
                keyThumbprint: caller.keyThumbprint, scope: request.scope, nonce: request.nonce, session: session)
            return .code(draft, mark: nil)
        }
    }

    /// The sign-in that this call goes on with.
    ///
    /// One that is unknown, too old or someone else's is refused: otherwise a new one would begin its tries anew.
    private static func begun(
        _ form: Parameters, _ caller: ChallengeCaller, _ context: ProviderContext
    ) throws -> (id: String?, session: ChallengeSession?) {
        guard let id = form["auth_session"] else { return (nil, nil) }
        guard let session = try ChallengeSession.find(id, of: caller, context) else {
            throw Refusal(.invalidRequest, "The auth_session is unknown or too old. Begin again without it.")
        }
        return (id, session)
    }

    private static func throttled(_ context: ProviderContext) -> Refusal {
        var refusal = Refusal(.accessDenied, PasswordCheck.throttledWords(context))
        refusal.status = 429
        return refusal
    }
}
