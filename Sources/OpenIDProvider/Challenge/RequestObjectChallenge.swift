import Basics
import OpenIDConnect
import Platform

/// A broker brings a live request that another client signed: `request`, with `id_token_hint` and `device_secret`.
///
/// The client served is the `client_id` inside the object, and its parameters come from the object alone.
enum RequestObjectChallenge: ChallengeVariant {
    static let parameter: String? = "request"

    static func run(
        _ form: Parameters, _ caller: ChallengeCaller, _ context: ProviderContext
    ) async throws -> ChallengeOutcome {
        let client = try servedClient(try form.required("request"), by: caller, context)
        let opened = try OpenedRequestObject.open(try form.required("request"), of: client, context)
        let request = opened.object.request
        try AuthorizationRule.check(request, client)
        guard request.dpopThumbprint != nil || client.usesPrivateKeyJWT else {
            throw Refusal(
                .invalidRequestObject,
                "A code asked for by a broker is bound to a key. Put dpop_jkt in the request object.")
        }
        guard let session = try caller.account(form, context) else {
            return .signIn(words: "The sign-in at the provider has ended. Sign in again, then repeat the call.")
        }
        guard isFresh(session, for: opened.object) else {
            return .signIn(words: "The app asks for a newer sign-in. Sign in again, then repeat the call.")
        }
        let draft = CodeDraft(
            client: client, redirectURI: request.redirectURI, challenge: request.codeChallenge,
            keyThumbprint: request.dpopThumbprint, scope: request.scope, nonce: request.nonce, session: session)
        return .code(draft, mark: opened.mark)
    }

    /// The client inside the object, where a row of the registry says that this broker may ask for it.
    private static func servedClient(
        _ compact: String, by caller: ChallengeCaller, _ context: ProviderContext
    ) throws -> RegisteredClient {
        let named = try refusing(.invalidRequestObject, "The request object cannot be read. Send a compact JWS.") {
            try UnverifiedRequestObject(compact: compact).unverifiedClientID
        }
        guard let id = named, caller.client.isBroker, caller.client.brokerFor.contains(id),
            let client = try context.store.read({ try ProviderTables.clients.find(id.text, in: $0) })
        else {
            throw Refusal(
                .unauthorizedClient, "This client may not ask for codes of the one in the request object. Register it.")
        }
        return client
    }

    /// Whether the sign-in is as new as the app asked, counted from when it asked: so the same request is satisfied by
    /// the sign-in that it caused.
    private static func isFresh(_ session: ProviderSession, for object: RequestObject) -> Bool {
        // auth_time and iat are whole seconds on the wire, so they are compared as such.
        let (signedIn, asked) = (session.authenticatedAt.seconds, object.issuedAt.seconds)
        if object.request.prompt?.contains(.login) == true, signedIn < asked { return false }
        if let maxAge = object.request.maxAge, signedIn < asked - Int64(maxAge) { return false }
        return true
    }
}
