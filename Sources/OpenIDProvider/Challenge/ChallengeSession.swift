import Basics
import JOSE
import OpenIDConnect
import Platform

/// `auth_session`: a first-party sign-in that has begun (OAuth 2.0 for First-Party Applications §5.3.1).
struct ChallengeSession: Codable, Sendable {
    var clientID: ClientID
    var keyThumbprint: KeyThumbprint
    /// Wrong passwords so far.
    var tries: Int
    var expires: Timestamp

    /// The answer that asks the broker for its person's name and password.
    ///
    /// - Parameter id: the session that goes on; a new one unless given.
    static func insufficient(
        _ words: String, for caller: ChallengeCaller, continuing id: String? = nil, tries: Int = 0,
        _ context: ProviderContext
    ) async throws -> Refusal {
        let id = id ?? context.randomText()
        let session = ChallengeSession(
            clientID: caller.client.id, keyThumbprint: caller.keyThumbprint, tries: tries,
            expires: context.now + context.configuration.interactionLifetime)
        try await context.store.write(.normal) { transaction in
            try ProviderTables.challenges.put(storedDigest(id), session, expires: session.expires, in: transaction)
        }
        var refusal = Refusal(.insufficientAuthorization, words)
        refusal.members["auth_session"] = .string(id)
        return refusal
    }

    /// The session of that id, where it is this caller's and still waits.
    static func find(_ id: String, of caller: ChallengeCaller, _ context: ProviderContext) throws -> ChallengeSession? {
        let found = try context.store.read { try ProviderTables.challenges.find(storedDigest(id), in: $0) }
        guard let found, context.now < found.expires, found.clientID == caller.client.id,
            found.keyThumbprint == caller.keyThumbprint
        else { return nil }
        return found
    }
}
