import Basics
import FoundationEssentials
import JOSE
import OpenIDConnect
import Platform

/// A client that has said who it is, and proved it as far as it can.
struct AuthenticatedClient: Sendable {
    let client: RegisteredClient
    /// The `jti` of its assertion, not yet taken.
    let mark: SingleUseMark?

    /// Whether it proved a key of its own by its assertion.
    var provedKey: Bool { mark != nil }
}

/// Client authentication as all endpoints share it (RFC 6749 §2.3, RFC 7523 §2.2).
struct ClientAuthenticator: Sendable {
    let context: ProviderContext

    /// Finds out which client asks.
    ///
    /// One method per request, and the one it registered.
    func authenticate(_ request: HTTPRequest, _ form: Parameters) throws -> AuthenticatedClient {
        let basic = try basicCredentials(request)
        let methods = [basic != nil, form["client_secret"] != nil, form["client_assertion"] != nil]
        guard methods.count(where: \.self) <= 1 else {
            throw Refusal(.invalidRequest, "The client used two ways to authenticate. Use the registered one alone.")
        }
        do {
            if let assertion = form["client_assertion"] { return try authenticate(assertion: assertion, form) }
            if let basic { return try authenticate(id: basic.id, secret: basic.secret, form) }
            let id = try form.required("client_id")
            if let secret = form["client_secret"] { return try authenticate(id: id, secret: Secret(secret), form) }
            return try authenticate(publicID: id)
        } catch var refusal as Refusal {
            if basic != nil, refusal.error.code == .invalidClient {
                refusal.headers.append(("WWW-Authenticate", "Basic realm=\"\(context.issuer.text)\""))
            }
            throw refusal
        }
    }

    private func authenticate(publicID text: String) throws -> AuthenticatedClient {
        guard let client = try find(text), case .none = client.authentication else { throw unauthenticated() }
        return AuthenticatedClient(client: client, mark: nil)
    }

    private func authenticate(id text: String, secret: Secret<String>, _ form: Parameters) throws -> AuthenticatedClient
    {
        try requireSameClient(text, form)
        guard let client = try find(text), case .secret(let digest) = client.authentication,
            constantTimeEqual(storedDigest(secret.unmasked), digest)
        else { throw unauthenticated() }
        return AuthenticatedClient(client: client, mark: nil)
    }

    private func authenticate(assertion: String, _ form: Parameters) throws -> AuthenticatedClient {
        guard form["client_assertion_type"] == ClientAssertion.type else {
            throw Refusal(.invalidClient, "client_assertion_type is missing or unknown. Send \(ClientAssertion.type).")
        }
        return try refusing(.invalidClient, "The client assertion was not accepted. Check its key, aud, exp and jti.") {
            let id = try ClientAssertion.unverifiedClientID(assertion)
            try requireSameClient(id.text, form)
            guard let client = try find(id.text), case .privateKeyJWT(let key) = client.authentication else {
                throw unauthenticated()
            }
            let (jti, expires) = try ClientAssertion.verified(
                assertion, clientID: client.id, key: context.clientKeys.key(key), audience: context.issuer,
                now: context.now)
            let mark = SingleUseMark(purpose: .clientAssertion, owner: id.text, id: jti, expires: expires + skew)
            return AuthenticatedClient(client: client, mark: mark)
        }
    }

    /// How long after its `exp` an assertion may still be accepted, and so must still be known.
    private var skew: Duration { .seconds(60) }

    private func find(_ text: String) throws -> RegisteredClient? {
        try context.store.read { try ProviderTables.clients.find(text, in: $0) }
    }

    private func requireSameClient(_ text: String, _ form: Parameters) throws {
        guard let sent = form["client_id"], sent != text else { return }
        throw Refusal(
            .invalidClient, "client_id names another client than the one that authenticated. Send one client.")
    }

    /// One text for every reason, so that nobody learns which clients there are.
    private func unauthenticated() -> Refusal {
        Refusal(.invalidClient, "The client is unknown or did not authenticate as registered. Check its registration.")
    }

    private func basicCredentials(_ request: HTTPRequest) throws -> (id: String, secret: Secret<String>)? {
        guard let header = request.headers.single("Authorization"), header.prefix(6).lowercased() == "basic " else {
            return nil
        }
        return try refusing(
            .invalidRequest, "The Authorization header is not Basic as RFC 6749 section 2.3.1 has it. Encode it so."
        ) {
            guard let data = Data(base64Encoded: String(header.dropFirst(6))),
                let colon = data.firstIndex(of: UInt8(ascii: ":"))
            else { throw Fault(.invalidForm, detail: "no colon under base64") }
            let id = try FormEncoding.decode(data[..<colon])
            return (id, Secret(try FormEncoding.decode(data[data.index(after: colon)...])))
        }
    }
}
