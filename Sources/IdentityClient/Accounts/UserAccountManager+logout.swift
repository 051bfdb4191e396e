import Basics
import OpenIDConnect
import Platform

extension UserAccountManager {
    /// Logs an account out of this app: revoked at the provider, then removed here.
    ///
    /// When the provider cannot be reached the account stays, so that nothing is left alive by mistake, unless
    /// `force` says otherwise; then the provider is told as soon as it can be. No other account becomes current.
    ///
    /// - Returns: whether the provider was told.
    @discardableResult
    public func logout(_ account: UserAccount, force: Bool = false) async throws -> Bool {
        var revoked = true
        if let tokens = try surroundings.store.read({ try store.tokens(of: account.key, in: $0) }) {
            do {
                try await providers.connection(to: account.issuer, boundTo: tokens.keyID)
                    .revoke(tokens.refreshToken ?? tokens.accessToken)
            } catch {
                guard force else { throw providerFault(error) }
                revoked = false
            }
        }
        try await end(account, isRevoked: revoked)
        return revoked
    }

    /// Ends a login here. What the provider does not know yet, it is told when it can be.
    func end(_ account: UserAccount, isRevoked: Bool) async throws {
        let now = surroundings.environment.now()
        try await surroundings.store.write(.full) { [store] transaction in
            if isRevoked {
                try store.remove(account.key, in: transaction)
            } else {
                try store.end(account.key, now: now, in: transaction)
            }
        }
        surroundings.journal.record(JournalEntry(.decided, "logged out"))
        changed()
    }

    /// Tells the providers to revoke what is still alive of accounts that are gone; to be called now and then.
    ///
    /// - Parameter account: the key of one account, for its tokens alone.
    /// - Returns: whether nothing is owed any more.
    @discardableResult
    package func settleRevocations(of account: String? = nil) async -> Bool {
        let debts = (try? surroundings.store.read { try RevocationDebt.table.list(in: $0) }) ?? []
        var isSettled = true
        for (id, debt) in debts where account == nil || debt.account == account {
            do {
                let token = try store.token(of: debt, id: id)
                try await providers.connection(to: debt.issuer).revoke(token)
            } catch let error as OAuthError where error.status < 500 {
                // Refused for good, and so will it be the next time.
            } catch {
                isSettled = false
                continue
            }
            _ = try? await surroundings.store.write(.normal) { try RevocationDebt.table.remove(id, in: $0) }
        }
        return isSettled
    }
}
