import Basics
import OpenIDConnect
import Platform

/// A broker asks on its own for a client of a `may_initiate` row (keychain variant): `for_client`, with the request's
/// parameters, `id_token_hint` and `device_secret`.
///
/// The code is bound to the client's registered key, taken from the registry and never from the request: so a broken-
/// into broker can offer a login, and cannot redeem it. A classic client has no key, and its code is bound to its
/// challenge alone.
enum InitiatedChallenge: ChallengeVariant {
    static let parameter: String? = "for_client"

    static func run(
        _ form: Parameters, _ caller: ChallengeCaller, _ context: ProviderContext
    ) async throws -> ChallengeOutcome {
        let id = try form.required("for_client")
        guard caller.client.isBroker, caller.client.mayInitiate.contains(where: { $0.text == id }),
            let client = try context.store.read({ try ProviderTables.clients.find(id, in: $0) })
        else {
            throw Refusal(
                .unauthorizedClient, "This client may not ask for that one without its request object. Register it.")
        }
        let key = client.requestObjectKey
        guard key != nil || client.isClassic else {
            throw Refusal(
                .unauthorizedClient, "The client has no registered key to bind the code to. Register one first.")
        }
        let request = try form.authorizationRequest(of: client.id)
        try AuthorizationRule.check(request, client)
        guard request.dpopThumbprint == nil || request.dpopThumbprint == key?.thumbprint else {
            throw Refusal(.invalidRequest, "dpop_jkt is not the client's registered key. Leave it out.")
        }
        guard let session = try caller.account(form, context) else {
            return .signIn(words: "The sign-in at the provider has ended. Sign in again, then repeat the call.")
        }
        let draft = CodeDraft(
            client: client, redirectURI: request.redirectURI, challenge: request.codeChallenge,
            keyThumbprint: client.usesPrivateKeyJWT && !client.dpopBound ? nil : key?.thumbprint, scope: request.scope,
            nonce: request.nonce, session: session)
        return .code(draft, mark: nil)
    }
}

extension Parameters {
    /// The request that a first-party call makes: its form has room for one response type and one challenge method, so
    /// they may be left out, and `client_id` may be the caller's own.
    func authorizationRequest(of client: ClientID) throws -> AuthorizationRequest {
        var fields = pairs.filter { $0.0 != "client_id" } + [("client_id", client.text)]
        for (name, value) in [("response_type", "code"), ("code_challenge_method", "S256")] where self[name] == nil {
            fields.append((name, value))
        }
        do throws(OAuthError) {
            return try AuthorizationRequest.parse(fields)
        } catch {
            throw Refusal(error)
        }
    }
}
