import Basics
import JOSE
import Platform

/// One try of a name and a password.
enum PasswordCheck {
    enum Outcome: Sendable {
        case right(RegisteredUser)
        /// Wrong, with the tries that are left.
        case wrong(left: Int)
        /// Not looked at: too many tries.
        case throttled
    }

    /// Checks a password away from the event loops.
    ///
    /// A name that does not exist takes the same time and gets the same answer as a wrong password.
    static func run(
        _ username: String, _ password: Secret<String>, _ context: ProviderContext
    ) async throws -> Outcome {
        guard let left = try await PasswordThrottle.reserve(username, context) else {
            context.journal.record(JournalEntry(.refused, "Too many wrong passwords.", code: .passwordThrottled))
            return .throttled
        }
        let user = try context.store.read { try ProviderTables.users.find(username, in: $0) }
        let cost = context.configuration.passwordCost
        let isRight = try await context.environment.offload {
            guard let user else {
                PasswordHash.decoyCheck(password, cost: cost)
                return false
            }
            return try PasswordHash(text: user.passwordHash).matches(password)
        }
        guard let user, isRight else { return left > 0 ? .wrong(left: left) : .throttled }
        try await context.store.write(.normal) { try PasswordThrottle.clear(username, in: $0) }
        return .right(user)
    }

    /// What a person reads after a wrong try.
    static func words(left: Int) -> String {
        "That user name and password do not match. \(counted(left)) left."
    }

    /// What a person reads when there is no try left.
    static func throttledWords(_ context: ProviderContext) -> String {
        let minutes = max(1, context.configuration.passwordWindow.components.seconds / 60)
        return "Too many wrong passwords. Wait \(minutes) minutes, then try again."
    }

    private static func counted(_ left: Int) -> String {
        let words = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"]
        let number = words.indices.contains(left) ? words[left] : String(left)
        return left == 1 ? "\(number) try is" : "\(number) tries are"
    }
}
