import Basics
import Handoff
import IdentityClient
import OpenIDConnect
import Platform

/// How the identity provider app comes to a code for a client: with the account's tokens, and by what the person
/// allowed.
extension HandoffBroker {
    typealias Obtaining = @Sendable (CodeForClient, TokenSet) async throws -> Secret<String>

    /// Obtains a code by what the person allowed. Where they took that back at the provider it ends here too: what is on
    /// record is forgotten, and they are asked before the call is repeated.
    ///
    /// - Parameters:
    ///   - isAllowedNow: whether the person was asked for this very code.
    ///   - askAgain: asks the person; throws where they do not allow it.
    ///   - obtain: the call.
    func code(
        for account: UserAccount, to client: ClientID, flow: BrokerFlow, asker: Question.Asker?, isAllowedNow: Bool,
        askAgain: () async throws -> Void, obtain: @escaping Obtaining
    ) async throws -> Secret<String> {
        let known = CodeForClient(provider: provider, isAllowedNow: isAllowedNow)
        do {
            return try await code(for: account, flow: flow, asker: asker) { try await obtain(known, $0) }
        } catch let error as OAuthError where error.code == .consentRequired {
            let issuer = issuer.text
            try await surroundings.store.write(.full) {
                try ConsentRecord.forget(issuer: issuer, subject: account.subject, client, in: $0)
            }
            journal(.decided, flow.id, "what was allowed was taken back at the provider")
            try await askAgain()
            let again = CodeForClient(provider: provider, isAllowedNow: true)
            return try await code(for: account, flow: flow, asker: asker) { try await obtain(again, $0) }
        }
    }

    /// Obtains a code; where the provider wants the person again, signs in once more and repeats the call.
    private func code(
        for account: UserAccount, flow: BrokerFlow, asker: Question.Asker?,
        _ obtain: @Sendable (TokenSet) async throws -> Secret<String>
    ) async throws -> Secret<String> {
        func tokens() throws -> TokenSet {
            let stored = try surroundings.store.read { try accounts.store.tokens(of: account.key, in: $0) }
            guard let stored else { throw Fault(.loginRequired) }
            return stored
        }
        do {
            return try await obtain(try tokens())
        } catch let error as OAuthError
            where [.insufficientAuthorization, .loginRequired, .invalidToken].contains(error.code)
        {
            let again = try await surroundings.environment.withDeadline(
                remaining(until: flow.deadline), orThrow: Fault(.deadlinePassed)
            ) { [self] in
                try await signIn(username: account.username, asker: asker, deadline: flow.deadline, flow: flow.id)
            }
            guard again.subject == account.subject else { throw Fault(.loginRequired) }
            return try await obtain(try tokens())
        }
    }
}
