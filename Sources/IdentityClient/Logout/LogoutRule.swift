package import Basics
package import Handoff
package import OpenIDConnect

/// One reason to refuse a `logout` of an identity provider app, beside the rules of every command.
struct LogoutRule: Sendable {
    let name: String
    /// What is wrong, if anything is.
    let check: @Sendable (LogoutRequest, IdentityProviderEntry) -> Fault?

    /// An identity provider app ends logins of its own pinned issuer alone.
    static let issuer = LogoutRule(name: "logout-issuer") { request, entry in
        sameBytes(request.issuer, entry.issuer.text) ? nil : Fault(.logoutIssuer)
    }

    /// What goes beyond this device is the provider's to say.
    static let proof = LogoutRule(name: "logout-proof") { request, _ in
        request.scope == .everywhere && request.logoutToken == nil ? Fault(.logoutUnproved) : nil
    }

    /// Every rule, in the order of the checks.
    static let all: [LogoutRule] = [.issuer, .proof]

    /// Throws what the first rule that refuses says.
    static func check(_ request: LogoutRequest, from entry: IdentityProviderEntry) throws(Fault) {
        for rule in all { if let fault = rule.check(request, entry) { throw fault } }
    }
}

/// Which logins a `logout` means.
package struct LogoutAim: Sendable {
    private let request: LogoutRequest
    private let token: LogoutToken?

    /// Takes a request and, for *everywhere*, the provider's word for it.
    ///
    /// - Throws: `logout-token-account` when the token is about somebody else.
    package init(_ request: LogoutRequest, provedBy token: LogoutToken?) throws(Fault) {
        if let token {
            guard sameBytes(token.subject?.text, request.subject),
                token.sessionID == nil || sameBytes(token.sessionID, request.sessionID)
            else { throw Fault(.logoutTokenAccount) }
        }
        self.request = request
        self.token = token
    }

    /// Whether the login of an account with these tokens is meant: the account by issuer and subject; of its sessions
    /// the one that is named; and none that began after the provider's token was made.
    ///
    /// A login that has no tokens any more is meant whatever its session was.
    package func means(_ account: UserAccount, _ tokens: TokenSet?) -> Bool {
        guard sameBytes(account.issuer, request.issuer), sameBytes(account.subject, request.subject) else {
            return false
        }
        guard let tokens else { return true }
        if let wanted = request.sessionID, let session = tokens.sessionID, !sameBytes(wanted, session) { return false }
        if let token { return (tokens.signedInAt ?? account.loggedInAt) <= token.issuedAt }
        return true
    }
}
