import Basics
import OpenIDConnect
import Platform

/// The steps that read a request.
extension AuthorizationStep {
    static let findClient = AuthorizationStep("find client") { exchange, context in
        let id = try exchange.parameters.required("client_id")
        guard let client = try context.store.read({ try ProviderTables.clients.find(id, in: $0) }) else {
            throw Refusal(.invalidClient, "No client with this client_id is registered here. Register it first.")
        }
        exchange.set(client: client)
        return nil
    }

    static let checkRedirectURI = AuthorizationStep("check redirect URI") { exchange, _ in
        // With a request object the address may stand in there alone.
        if exchange.parameters["redirect_uri"] == nil, exchange.parameters["request"] != nil { return nil }
        let text = try exchange.parameters.required("redirect_uri")
        let client = try exchange.client
        let redirectURI = try refusing(.invalidRedirectURI, "The redirect_uri is not an absolute address for apps.") {
            try RedirectURI(text)
        }
        guard client.hasRegistered(redirectURI) else {
            throw Refusal(
                .invalidRedirectURI, "The redirect_uri is not registered for this client. Register exactly this one.")
        }
        let state = exchange.parameters["state"].flatMap { try? State($0) }
        exchange.returnAddress = ReturnAddress(redirectURI: redirectURI, state: state)
        return nil
    }

    static let openRequestObject = AuthorizationStep("open request object") { exchange, context in
        let client = try exchange.client
        guard exchange.parameters["request_uri"] == nil else {
            throw Refusal(.requestURINotSupported, "request_uri is not taken here. Send the request itself.")
        }
        guard let compact = exchange.parameters["request"] else {
            guard !client.requiresRequestObject else {
                throw Refusal(.invalidRequest, "This client signs its requests. Send the parameter request (RFC 9101).")
            }
            return nil
        }
        let opened = try OpenedRequestObject.open(compact, of: client, context)
        let request = opened.object.request
        // From here on the parameters outside the object count for nothing, the redirect URI among them.
        exchange.returnAddress = nil
        guard client.hasRegistered(request.redirectURI) else {
            throw Refusal(
                .invalidRedirectURI, "The redirect_uri in the request object is not registered for this client.")
        }
        exchange.returnAddress = ReturnAddress(redirectURI: request.redirectURI, state: request.state)
        exchange.requestObject = opened.mark
        exchange.set(request: request)
        return nil
    }

    /// Response type, PKCE, scope and the rest, by the shared rules.
    static let readParameters = AuthorizationStep("read parameters") { exchange, _ in
        guard exchange.possibleRequest == nil else { return nil }
        do throws(OAuthError) {
            exchange.set(request: try AuthorizationRequest.parse(exchange.parameters.pairs))
        } catch {
            throw Refusal(error)
        }
        return nil
    }

    static let checkRegistration = AuthorizationStep("check registration") { exchange, _ in
        try AuthorizationRule.check(try exchange.request, try exchange.client)
        return nil
    }

    static let readHint = AuthorizationStep("read hint") { exchange, context in
        guard let hint = exchange.parameters["id_token_hint"] else { return nil }
        let token = try refusing(
            .invalidRequest, "The id_token_hint is not an ID token of this provider. Send one, or none."
        ) { try IssuedIDToken(hint, context) }
        exchange.hintedSubject = token.subject
        return nil
    }
}
