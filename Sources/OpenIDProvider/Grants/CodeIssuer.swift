import Basics
import JOSE
import OpenIDConnect
import Platform

/// A code that is about to be made: everything it will be bound to.
struct CodeDraft: Sendable {
    let client: RegisteredClient
    let redirectURI: RedirectURI
    let challenge: CodeChallenge
    let keyThumbprint: KeyThumbprint?
    let scope: ScopeSet
    let nonce: Nonce?
    let session: ProviderSession

    /// Who the code is for and with which key, for the record of consent.
    func consent(issuer: Issuer, at now: Timestamp, through broker: ClientID? = nil) -> ConsentRecord {
        ConsentRecord(
            issuer: issuer, subject: session.subject, clientID: client.id,
            keyThumbprint: keyThumbprint ?? client.requestObjectKey?.thumbprint, scope: scope, grantedAt: now,
            through: broker)
    }
}

/// Makes codes.
enum CodeIssuer {
    /// Writes the code's row and returns the code, in the caller's transaction.
    static func issue(
        _ draft: CodeDraft, code: Secret<String>, family: String, at now: Timestamp, lifetime: Duration,
        in transaction: borrowing Transaction
    ) throws {
        let facts = GrantFacts(
            family: family, clientID: draft.client.id, subject: draft.session.subject, sessionID: draft.session.id,
            scope: draft.scope, authenticatedAt: draft.session.authenticatedAt, keyThumbprint: draft.keyThumbprint,
            nonce: draft.nonce)
        let binding = binding(
            client: draft.client.id, redirectURI: draft.redirectURI.text, challenge: draft.challenge,
            key: draft.keyThumbprint?.value)
        let record = CredentialRecord(facts: facts, binding: binding, expires: now + lifetime)
        try ProviderTables.codes.put(
            storedDigest(code.unmasked), record, family: family, condition: binding, expires: record.expires,
            in: transaction)
    }

    /// The condition of a code: a hash over client, redirect URI, challenge and key.
    static func binding(client: ClientID, redirectURI: String, challenge: CodeChallenge, key: String?) -> String {
        combinedDigest(["code", client.text, redirectURI, challenge.text, key ?? "-"])
    }
}
