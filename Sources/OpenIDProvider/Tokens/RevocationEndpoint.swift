import Basics
import OpenIDConnect
import Platform

/// `POST /revoke` (RFC 7009): the whole family ends, whichever of its tokens was sent.
struct RevocationEndpoint: Sendable {
    let context: ProviderContext

    /// Always 200 for a client that authenticated: whether there was such a token is nobody's business.
    func respond(to http: HTTPRequest) async throws -> HTTPResponse {
        let form = try Parameters(http)
        let client = try ClientAuthenticator(context: context).authenticate(http, form)
        try await SingleUseMark.take([client.mark].compactMap(\.self), context)
        let token = try form.required("token")
        if let family = try family(of: token, client.client) { try await revoke(family, client.client) }
        return HTTPResponse(status: 200, headers: ["Cache-Control": "no-store", "Content-Length": "0"])
    }

    /// The family of a refresh token, of one that was rotated out, or of an access token; the client's own only.
    private func family(of token: String, _ client: RegisteredClient) throws -> String? {
        let key = storedDigest(token)
        let stored: (client: ClientID, family: String)? = try context.store.read { records in
            if let record = try ProviderTables.refreshTokens.find(key, in: records) {
                return (record.facts.clientID, record.facts.family)
            }
            return try ProviderTables.tombstones.find(key, in: records).map { ($0.clientID, $0.family) }
        }
        if let stored { return stored.client == client.id ? stored.family : nil }
        guard let access = try? AccessToken(token, context), access.clientID == client.id else { return nil }
        return access.family
    }

    private func revoke(_ id: String, _ client: RegisteredClient) async throws {
        try await context.store.write(.full) { transaction in
            let family = try ProviderTables.families.find(id, in: transaction)
            try GrantFamily.revoke(id, in: transaction)
            // A broker that gives its login back ends the session that it was asking for codes with.
            if client.isBroker, let family { try ProviderTables.sessions.remove(family.sessionID, in: transaction) }
        }
        context.journal.record(
            JournalEntry(.decided, "Tokens were revoked.", fields: ["client": .string(client.id.text)]))
    }
}
