import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect

/// What the registry says about a client's request object. What the client names and its entry does not is refused.
enum RequestCheck {
    /// Verifies the request object with the client's pinned OAuth key and compares it with the client's entry.
    ///
    /// - Throws: an `AuthError.Reason` for the client, with the fault for our own log.
    static func verify(
        _ compact: String, of client: RegisteredClientApp, issuer: Issuer, now: Timestamp
    ) throws(Refusal) -> RequestObject {
        let object: RequestObject
        let key: VerificationKey
        do {
            let unverified = try UnverifiedRequestObject(compact: compact)
            key = client.oauthKey(named: unverified.keyID, at: now)
            object = try unverified.verified(
                by: key, clientID: client.entry.clientID, audience: issuer, now: now)
        } catch {
            throw Refusal(.invalidRequest, error)
        }
        let request = object.request
        guard client.entry.redirectURIs.contains(where: { request.redirectURI.matches(registered: $0) }) else {
            throw Refusal(.invalidRequest, Fault(.unregisteredRedirect))
        }
        guard request.scope.isSubset(of: client.entry.scopes) else {
            throw Refusal(.invalidScope, Fault(.unregisteredScope))
        }
        // A code that any key could redeem would be worth stealing.
        guard request.dpopThumbprint == key.thumbprint else {
            throw Refusal(.invalidRequest, Fault(.unboundRequest))
        }
        guard request.state != nil, request.nonce != nil else {
            throw Refusal(.invalidRequest, Fault(.commandMeaning, detail: "state or nonce is missing"))
        }
        return object
    }

    /// Checks the host that the person chose at the client, in upper or lower case. It may only say which accounts are
    /// meant: it alters nothing that is stored, and no request goes to it.
    ///
    /// - Throws: `invalid_request` for a host that the client's row does not have; `cannot_broker` for one of those that
    ///   is not the issuer's, for nobody is signed in there through this app.
    static func verify(loginHost: String?, of client: RegisteredClientApp, issuer: Issuer) throws(Refusal) {
        guard let host = loginHost, !sameHost(host, issuer.authority) else { return }
        guard client.entry.hosts.contains(where: { sameHost($0, host) }) else {
            throw Refusal(.invalidRequest, Fault(.unregisteredHost))
        }
        throw Refusal(.cannotBroker, Fault(.cannotBroker, detail: "login_host is registered, and not the issuer's"))
    }
}

/// A refusal: the word for the client, and what our own log says.
struct Refusal: Error {
    let reason: AuthError.Reason
    let fault: Fault

    init(_ reason: AuthError.Reason, _ fault: Fault) {
        self.reason = reason
        self.fault = fault
    }
}
