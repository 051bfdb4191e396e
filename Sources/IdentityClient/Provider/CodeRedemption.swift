package import Basics
import JOSE
package import OpenIDConnect
import Platform

/// Turns a code into an account: token endpoint, ID-token rules, userinfo. Nothing is stored here.
package struct CodeRedemption: Sendable {
    /// What the code was asked for with.
    package var code: Secret<String>
    package var verifier: CodeVerifier
    package var redirectURI: RedirectURI
    package var nonce: Nonce
    /// The subject that the hand-off named; the ID token must name the same.
    package var expectedSubject: String?
    package var requestedScope: ScopeSet?
    package var flow: String?

    package init(
        code: Secret<String>, verifier: CodeVerifier, redirectURI: RedirectURI, nonce: Nonce,
        expectedSubject: String?, requestedScope: ScopeSet?, flow: String?
    ) {
        self.code = code
        self.verifier = verifier
        self.redirectURI = redirectURI
        self.nonce = nonce
        self.expectedSubject = expectedSubject
        self.requestedScope = requestedScope
        self.flow = flow
    }

    /// Redeems the code and asks who it is.
    ///
    /// - Throws: what `exchange` and `account` throw; the tokens are revoked then.
    package func redeem(
        at provider: ProviderConnection, repeating: Repetition
    ) async throws -> (account: UserAccount, tokens: TokenSet) {
        let redeemed = try await exchange(at: provider, repeating: repeating)
        return (try await account(of: redeemed, at: provider, repeating: repeating), redeemed.tokens)
    }

    /// Redeems the code and checks the ID token. The tokens have not been used yet: until they are, the provider gives
    /// the same answer again to whoever proves the same key. So a request without an answer is made again, with a fresh
    /// proof of the same key; one that was refused is not.
    ///
    /// - Throws: `subject-mismatch` when the ID token is for another subject than the hand-off named; then the tokens
    ///   are revoked.
    package func exchange(at provider: ProviderConnection, repeating: Repetition) async throws -> RedeemedCode {
        let now = repeating.environment.now()
        let answer = try await repeating {
            try await provider.token(
                [
                    ("grant_type", "authorization_code"), ("code", code.unmasked),
                    ("redirect_uri", redirectURI.text), ("code_verifier", verifier.text.unmasked),
                ],
                flow: flow)
        }
        guard let compact = answer.idToken else {
            throw Fault(.providerAnswer, "The token answer has no ID token.")
        }
        return try await revoking(answer.refreshToken ?? answer.accessToken, at: provider) {
            let idToken = try await repeating {
                try await provider.verify(
                    idToken: compact, nonce: nonce, accessToken: answer.accessToken.unmasked, flow: flow)
            }
            if let expectedSubject, idToken.subject.text != expectedSubject { throw Fault(.subjectMismatch) }
            if let granted = answer.scope, let asked = requestedScope, !granted.isSubset(of: asked) {
                throw Fault(.excessScope)
            }
            return RedeemedCode(
                tokens: TokenSet(answer, idToken: idToken, keyID: provider.keyID, now: now),
                scopes: (answer.scope ?? requestedScope)?.names ?? [])
        }
    }

    /// The account that the tokens are for, by ID token and userinfo.
    package func account(
        of redeemed: RedeemedCode, at provider: ProviderConnection, repeating: Repetition
    ) async throws -> UserAccount {
        let tokens = redeemed.tokens
        guard let compact = tokens.idToken else { throw Fault(.providerAnswer, "The token answer has no ID token.") }
        return try await revoking(tokens.refreshToken ?? tokens.accessToken, at: provider) {
            let (idToken, info) = try await repeating {
                let idToken = try await provider.verify(
                    idToken: compact.unmasked, nonce: nonce, accessToken: tokens.accessToken.unmasked, flow: flow)
                return (idToken, try await provider.userInfo(tokens, subject: idToken.subject, flow: flow))
            }
            return UserAccount(
                idToken: idToken, info: info, scopes: redeemed.scopes, now: repeating.environment.now())
        }
    }

    /// What will not be stored must not stay alive at the provider; what a stopped process leaves is taken up again.
    private func revoking<Value>(
        _ token: Secret<String>, at provider: ProviderConnection, unless body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try? await provider.revoke(token, flow: flow)
            throw error
        }
    }
}

/// What a code became: tokens that nobody has used yet.
package struct RedeemedCode: Codable, Sendable {
    package var tokens: TokenSet
    /// What was granted.
    package var scopes: [String]

    package init(tokens: TokenSet, scopes: [String]) {
        self.tokens = tokens
        self.scopes = scopes
    }
}

extension TokenSet {
    package init(_ answer: TokenResponse, idToken: IDToken?, keyID: String, now: Timestamp) {
        self.init(
            accessToken: answer.accessToken, tokenType: answer.tokenType.rawValue,
            expires: now + .seconds(answer.expiresIn ?? 60), refreshToken: answer.refreshToken,
            idToken: answer.idToken.map(Secret.init), deviceSecret: answer.deviceSecret,
            sessionID: idToken?.sessionID, keyID: keyID)
    }
}

extension UserAccount {
    package init(idToken: IDToken, info: UserInfo, scopes: [String], now: Timestamp) {
        func text(_ name: String) -> String? { info.claims[name]?.stringValue ?? idToken.claims[name]?.stringValue }
        self.init(
            issuer: idToken.issuer.text, subject: idToken.subject.text,
            username: text("preferred_username") ?? text("email") ?? idToken.subject.text, displayName: text("name"),
            email: text("email"), scopes: scopes, loggedInAt: now)
    }
}
