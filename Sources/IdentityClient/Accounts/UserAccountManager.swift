import Basics
import Handoff
import OpenIDConnect
package import Platform

/// The app's accounts: which there are, which is current, and their tokens.
public actor UserAccountManager {
    let surroundings: Surroundings
    package nonisolated let store: AccountStore
    nonisolated let providers: ProviderConnections
    private var observers: [@Sendable (UserAccount?) -> Void] = []
    /// What the app does before it uses a token: it learns what happened to its logins while it was away.
    var arrive: @Sendable () async -> Void = {}

    package init(surroundings: Surroundings, store: AccountStore, providers: ProviderConnections) {
        self.surroundings = surroundings
        self.store = store
        self.providers = providers
    }

    /// Every account of this app, sorted by issuer and subject.
    public func all() throws -> [UserAccount] {
        try surroundings.store.read { try store.list(in: $0) }
    }

    /// The current account; `nil` when none is set.
    public func current() throws -> UserAccount? {
        try surroundings.store.read { try store.current(in: $0) }
    }

    /// The one account that a text names: a user name, a subject, or issuer and subject. It never guesses.
    ///
    /// - Throws: `unknown-account` or `ambiguous-account`.
    public func find(_ text: String) throws -> UserAccount {
        let matches = try all().filter { account in
            account.username == text || account.subject == text || account.key == text || account.email == text
        }
        guard let match = matches.first else { throw Fault(.unknownAccount) }
        guard matches.count == 1 else { throw Fault(.ambiguousAccount) }
        return match
    }

    /// Makes an account current. Nothing happens when it is already.
    ///
    /// - Throws: `UserAccountManagerError.userSwitchFailed` when the account is not there.
    public func switchTo(_ account: UserAccount) async throws {
        do {
            if try current() == account { return }
            try await surroundings.store.write(.full) { [store] in try store.makeCurrent(account.key, in: $0) }
        } catch {
            throw UserAccountManagerError.userSwitchFailed(underlyingError: error)
        }
        changed()
    }

    /// Sets what is done before a token is used.
    func setArrival(_ arrive: @escaping @Sendable () async -> Void) { self.arrive = arrive }

    /// Calls `observer` with the current account after each change.
    public func observe(_ observer: @escaping @Sendable (UserAccount?) -> Void) { observers.append(observer) }

    package func changed() {
        let account = try? current()
        for observer in observers { observer(account) }
    }

    /// Stores an account with its tokens and makes it current.
    package func logIn(_ account: UserAccount, tokens: TokenSet, identityProvider: String?) async throws {
        try await surroundings.store.write(.full) { [store] transaction in
            try store.logIn(account, tokens: tokens, identityProvider: identityProvider, in: transaction)
        }
        changed()
    }

    /// Whether the account still has a session: tokens, with a refresh token or not yet expired.
    package func hasSession(_ account: UserAccount) throws -> Bool {
        guard let tokens = try surroundings.store.read({ try store.tokens(of: account.key, in: $0) }) else {
            return false
        }
        return tokens.refreshToken != nil || tokens.expires > surroundings.environment.now()
    }
}
