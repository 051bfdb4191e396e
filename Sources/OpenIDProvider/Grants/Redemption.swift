import Basics
import JOSE
import OpenIDConnect
import Platform

/// Exchanges one credential for tokens, once.
///
/// Tokens are signed first and the row is taken last, by one statement whose condition holds everything that the
/// credential is bound to. So nothing slow runs in the transaction, and of two takers one finds nothing.
struct Redemption: Sendable {
    private let context: ProviderContext
    private let request: TokenRequest
    private let presentation: Presentation
    private let now: Timestamp

    init(_ context: ProviderContext, _ request: TokenRequest, _ presentation: Presentation) {
        self.context = context
        self.request = request
        self.presentation = presentation
        now = context.now
    }

    private var client: RegisteredClient { request.client.client }

    /// The JSON of the token response.
    func run() async throws -> [UInt8] {
        let found = try context.store.read { try presentation.table.find(presentation.key, in: $0) }
        guard let record = found else { return try await answerReplay() }
        guard now < record.expires, !client.hasRetired(record.facts.keyThumbprint, at: now) else {
            throw presentation.refusal
        }
        let condition = presentation.condition(record.facts.keyThumbprint)
        guard constantTimeEqual(condition, record.binding) else { throw try await countMiss() }
        let issued = try issue(record.facts)
        guard try await take(record, condition: condition, issued) else { return try await answerReplay() }
        await context.boundary(.providerTokensCommitted)
        context.journal.record(
            JournalEntry(.decided, "Tokens were issued.", fields: ["client": .string(client.id.text)]))
        return issued.response
    }

    private func issue(_ facts: GrantFacts) throws -> IssuedTokens {
        let scope = presentation.narrowed ?? facts.scope
        guard scope.isSubset(of: facts.scope) else {
            throw Refusal(.invalidScope, "The scope is wider than what was granted. Ask for less, or sign in again.")
        }
        let session = try ProviderSession.alive(facts.sessionID, context)?.0
        // A refresh token outlives the session; a code does not.
        guard session != nil || !presentation.isCode else { throw presentation.refusal }
        return try TokenIssuer(context: context, now: now).issue(
            facts, to: client, scope: scope, key: request.proof?.thumbprint, session: session,
            isFirst: presentation.isCode)
    }

    /// Everything that one redemption changes, in one commit.
    private func take(_ record: CredentialRecord, condition: String, _ issued: IssuedTokens) async throws -> Bool {
        let (facts, now) = (record.facts, now)
        let answer =
            request.provesKey
            ? try SealedAnswer.seal(
                issued.response, under: presentation.credential, request: request.digest,
                accessTokenID: issued.accessTokenID, expires: now + context.configuration.answerLifetime) : nil
        return try await context.store.write(.full) { [presentation] transaction in
            let family = try ProviderTables.families.find(facts.family, in: transaction)
            if presentation.isCode {
                // The session may have ended since it was looked at: what ended it has revoked all but this.
                guard try ProviderTables.sessions.find(facts.sessionID, in: transaction) != nil else {
                    throw presentation.refusal
                }
            } else {
                guard let family, family.isAlive(at: now) else { throw presentation.refusal }
            }
            guard try presentation.table.take(presentation.key, condition: condition, in: transaction) != nil else {
                return false
            }
            let tombstone = Tombstone(
                family: facts.family, clientID: facts.clientID, keyThumbprint: facts.keyThumbprint,
                expires: record.expires)
            try ProviderTables.tombstones.put(
                presentation.key, tombstone, family: facts.family, expires: tombstone.expires, in: transaction)
            try issued.put(replacing: family, in: transaction)
            if let answer {
                try ProviderTables.answers.put(facts.family, answer, expires: answer.expires, in: transaction)
            } else {
                try ProviderTables.answers.remove(facts.family, in: transaction)
            }
            return true
        }
    }

    /// The credential has no row: it never existed, or it was taken.
    ///
    /// A stranger changes nothing: only who proves the bound key, or holds a bearer credential, can end the family.
    private func answerReplay() async throws -> [UInt8] {
        let (tombstone, answer) = try context.store.read { records in
            let tombstone = try ProviderTables.tombstones.find(presentation.key, in: records)
            return (tombstone, try tombstone.flatMap { try ProviderTables.answers.find($0.family, in: records) })
        }
        guard let tombstone, now < tombstone.expires, tombstone.clientID == client.id else {
            throw presentation.refusal
        }
        let isOwner =
            if let bound = tombstone.keyThumbprint { bound == request.proof?.thumbprint } else {
                // A bearer credential, or one that the client's own assertion stands for: that client authenticated.
                true
            }
        guard isOwner else { throw presentation.refusal }
        if request.provesKey,
            let again = answer?.opened(with: presentation.credential, request: request.digest, at: now)
        {
            return again
        }
        try await context.store.write(.full) { try GrantFamily.revoke(tombstone.family, in: $0) }
        context.journal.record(
            JournalEntry(
                .refused, "A credential came a second time; its family was revoked.", code: .credentialReused,
                fields: ["client": .string(client.id.text)]))
        throw presentation.refusal
    }

    /// Counts a wrong presentation; the third ends the credential.
    private func countMiss() async throws -> Refusal {
        guard presentation.isCode else { return presentation.refusal }
        let (key, table, expires) = (presentation.key, presentation.table, now + context.configuration.codeLifetime)
        try await context.store.write(.full) { transaction in
            let misses = try ProviderTables.misses.find(key, in: transaction) ?? 0
            if misses >= 2 {
                try table.remove(key, in: transaction)
                try ProviderTables.misses.remove(key, in: transaction)
            } else {
                try ProviderTables.misses.put(key, misses + 1, expires: expires, in: transaction)
            }
        }
        return presentation.refusal
    }
}
