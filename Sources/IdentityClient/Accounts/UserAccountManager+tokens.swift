import Basics
package import OpenIDConnect
import Platform

extension UserAccountManager {
    private static let lease = Table<Timestamp>("refresh-lease")
    private static let leaseLife: Duration = .seconds(15)
    /// A refresh without an answer is not asked for again later than this: the lease outlives the last call.
    private static let repetitionLife: Duration = .seconds(4)

    /// An access token of the account that is valid for at least `minimum` more, refreshed if needed.
    ///
    /// One refresh at a time runs for an account, across all processes of the app. Only `invalid_grant` ends the
    /// session; trouble on the network never does.
    ///
    /// Before the first one in the life of the process, the app learns what happened to its logins while it was away.
    ///
    /// - Throws: `session-ended` when the provider has ended the login, `logged-out` when it is gone here.
    public func validToken(for account: UserAccount, minimum: Duration = .seconds(60)) async throws -> ValidToken {
        await arrive()
        let environment = surroundings.environment
        let patience = environment.now() + .seconds(20)
        while true {
            guard let tokens = try surroundings.store.read({ try store.tokens(of: account.key, in: $0) }) else {
                throw try all().contains { $0.key == account.key } ? Fault(.sessionEnded) : Fault(.loggedOut)
            }
            let now = environment.now()
            if tokens.expires >= now + minimum { return token(tokens, account) }
            guard tokens.refreshToken != nil else {
                if tokens.expires > now { return token(tokens, account) }
                throw Fault(.sessionEnded)
            }
            if try await takeLease(account.key, now: now) {
                do {
                    let fresh = try await refresh(account, minimum: minimum)
                    try await dropLease(account.key)
                    return token(fresh, account)
                } catch {
                    try await dropLease(account.key)
                    throw error
                }
            }
            guard now < patience else { throw Fault(.deadlinePassed) }
            try await environment.sleep(for: .milliseconds(25))
        }
    }

    private func token(_ tokens: TokenSet, _ account: UserAccount) -> ValidToken {
        ValidToken(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, expires: tokens.expires, account: account,
            keyID: tokens.keyID)
    }

    /// The user's claims, as the provider tells them now.
    package func userInfo(for account: UserAccount) async throws -> UserInfo {
        _ = try await validToken(for: account, minimum: .seconds(5))
        guard let tokens = try surroundings.store.read({ try store.tokens(of: account.key, in: $0) }) else {
            throw Fault(.sessionEnded)
        }
        do {
            return try await providers.connection(to: account.issuer, boundTo: tokens.keyID).userInfo(
                tokens, subject: try Subject(account.subject), flow: nil)
        } catch {
            throw providerFault(error)
        }
    }

    /// The `DPoP` header for one request with the account's token (RFC 9449 §7.1).
    public func proof(
        method: String, url: String, token: ValidToken
    ) async throws -> String {
        try await providers.connection(to: token.account.issuer, boundTo: token.keyID).proof(
            method, url, accessToken: token.accessToken.unmasked)
    }

    private func refresh(_ account: UserAccount, minimum: Duration) async throws -> TokenSet {
        // Read again under the lease: another process may have refreshed while this one waited for it.
        guard let tokens = try surroundings.store.read({ try store.tokens(of: account.key, in: $0) }),
            let refreshToken = tokens.refreshToken
        else { throw Fault(.sessionEnded) }
        let environment = surroundings.environment
        let now = environment.now()
        if tokens.expires >= now + minimum { return tokens }
        do {
            let provider = try await providers.connection(to: account.issuer, boundTo: tokens.keyID)
            let repeating = Repetition(in: environment, until: now + Self.repetitionLife)
            let answer = try await repeating {
                try await provider.token(
                    [("grant_type", "refresh_token"), ("refresh_token", refreshToken.unmasked)], flow: nil)
            }
            var fresh = TokenSet(answer, idToken: nil, keyID: provider.keyID, now: environment.now())
            fresh.refreshToken = answer.refreshToken ?? refreshToken
            fresh.idToken = fresh.idToken ?? tokens.idToken
            fresh.deviceSecret = tokens.deviceSecret
            fresh.sessionID = tokens.sessionID
            let stored = fresh
            try await surroundings.store.write(.full) { [store] in
                try store.replaceTokens(of: account.key, by: stored, in: $0)
            }
            return fresh
        } catch let error as OAuthError where error.code == .invalidGrant {
            try await surroundings.store.write(.full) { [store] in
                try store.replaceTokens(of: account.key, by: nil, in: $0)
            }
            throw Fault(.sessionEnded, detail: error.description)
        } catch {
            throw UserAccountManagerError.refreshFailed(
                underlyingError: providerFault(error), authInfo: AuthInfo(.refresh))
        }
    }

    private func takeLease(_ key: String, now: Timestamp) async throws -> Bool {
        try await surroundings.store.write(.normal) { transaction in
            if let until = try Self.lease.find(key, in: transaction), until > now { return false }
            try Self.lease.put(key, now + Self.leaseLife, expires: now + Self.leaseLife, in: transaction)
            return true
        }
    }

    private func dropLease(_ key: String) async throws {
        _ = try await surroundings.store.write(.normal) { try Self.lease.remove(key, in: $0) }
    }
}

extension UserAccountManager {
    /// The address of the provider's userinfo endpoint.
    ///
    /// - Throws: `provider-answer` when the provider has none.
    package func userInfoURL(of account: UserAccount) async throws -> String {
        let metadata = try await providers.connection(to: account.issuer).metadata()
        guard let url = metadata.userinfoEndpoint else {
            throw Fault(.providerAnswer, "The provider has no userinfo endpoint.")
        }
        return url
    }
}
