import Basics
import Platform

/// The wrong passwords that one user name has seen lately.
struct PasswordThrottle: Codable, Sendable {
    /// When each try was made, the oldest first.
    var tries: [Timestamp]

    /// Counts a try before the password is looked at, so that many at once cannot slip past the limit.
    ///
    /// Names that do not exist are counted the same, so that nobody learns which do.
    ///
    /// - Returns: how many tries are left after this one; nothing where there was none left to take.
    static func reserve(_ username: String, _ context: ProviderContext) async throws -> Int? {
        let (now, window, limit) = (
            context.now, context.configuration.passwordWindow, context.configuration.passwordTries
        )
        let key = key(username)
        return try await context.store.write(.normal) { transaction in
            let before = try ProviderTables.throttles.find(key, in: transaction)?.tries ?? []
            let recent = before.filter { $0 > now - window }
            guard recent.count < limit else { return nil }
            try ProviderTables.throttles.put(
                key, PasswordThrottle(tries: recent + [now]), expires: now + window, in: transaction)
            return limit - recent.count - 1
        }
    }

    /// Forgets the tries of a name whose password was right.
    static func clear(_ username: String, in transaction: borrowing Transaction) throws {
        try ProviderTables.throttles.remove(key(username), in: transaction)
    }

    private static func key(_ username: String) -> String { storedDigest(username.lowercased()) }
}
