import Basics
import OpenIDConnect

/// A request object that its client signed, with its mark not yet taken.
struct OpenedRequestObject: Sendable {
    let object: RequestObject
    let mark: SingleUseMark

    /// Verifies an object with the key registered for the client (RFC 9101 §6).
    static func open(
        _ compact: String, of client: RegisteredClient, _ context: ProviderContext
    ) throws -> OpenedRequestObject {
        guard client.requestObjectKey != nil else {
            throw Refusal(
                .requestNotSupported, "The client has no key registered for request objects. Register one first.")
        }
        return try refusing(
            .invalidRequestObject, "The request object was not accepted. Check its key, typ, aud, exp and parameters."
        ) {
            let unverified = try UnverifiedRequestObject(compact: compact)
            guard let key = client.requestObjectKey(named: unverified.keyID, at: context.now) else {
                throw Fault(.internalFault, detail: "a client with a key has none")
            }
            let object = try unverified.verified(
                by: try context.clientKeys.key(key), clientID: client.id, audience: context.issuer, now: context.now)
            // A page may stand open for a while after the object has expired, and takes the mark when it is answered.
            let expires = object.expires + context.configuration.interactionLifetime + .seconds(60)
            let mark = SingleUseMark(
                purpose: .requestObject, owner: client.id.text, id: object.id, expires: expires)
            return OpenedRequestObject(object: object, mark: mark)
        }
    }
}
