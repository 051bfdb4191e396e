import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform

extension HandoffClient {
    /// Logs a user in.
    ///
    /// - Returns: the account, now current, and how it came.
    /// - Throws: `UserAccountManagerError.loginFailed`, whose underlying error is a `Fault` or a `Cancellation`.
    public func login(_ options: LoginOptions = LoginOptions()) async throws -> (UserAccount, AuthInfo) {
        let environment = surroundings.environment
        let deadline = environment.now() + options.timeout
        var info = AuthInfo(.unknown)
        do {
            let hint = try hint(options.userHint)
            // Text that no host can be.
            guard options.loginHost?.isEmpty != true else { throw Fault(.unknownLoginHost) }
            switch try await selection(options, deadline: deadline) {
            case .identityProvider(let id, let chosen):
                let entry = try identityProvider(id)
                let flow = try FlowID(environment.uuid())
                info = AuthInfo(.idp, flow: flow.text)
                let account = try await handOff(
                    to: entry, flow: flow, origin: .client, hint: hint, loginHost: chosen ?? options.loginHost,
                    deadline: deadline, supersedes: options.supersedesPending)
                return (account, info)
            case .localLogin(let chosen):
                let flow = try FlowID(environment.uuid())
                info = AuthInfo(.webServer, flow: flow.text)
                let account = try await logInLocally(
                    flow, at: chosen ?? options.loginHost, hint: options.userHint, deadline: deadline)
                return (account, info)
            }
        } catch is CancellationError {
            throw UserAccountManagerError.loginFailed(underlyingError: Cancellation(by: .caller), authInfo: info)
        } catch let error as UserAccountManagerError {
            throw error
        } catch {
            throw UserAccountManagerError.loginFailed(underlyingError: providerFault(error), authInfo: info)
        }
    }

    // MARK: - Which flow

    private func selection(_ options: LoginOptions, deadline: Timestamp) async throws -> LoginFlowSelection {
        switch options.via {
        case .local: return .localLogin()
        case .identityProvider(let id?): return .identityProvider(id)
        case .identityProvider(nil): return .identityProvider(try usualIdentityProvider(options).peer.id.text)
        case .ask: break
        }
        let usual = try usualIdentityProvider(options)
        let appName = surroundings.manifest.displayName
        let reason = options.addsAccount ? "Add an account to \(appName)." : "Nobody is logged in to \(appName)."
        return try await surroundings.environment.withDeadline(
            remaining(until: deadline), orThrow: Fault(.deadlinePassed)
        ) { [self] in
            if let action = await idpLoginFlowSelectionAction {
                let view = action()
                view.appOptions = [
                    "app_name": appName, "reason": reason, "user_hint": options.userHint ?? "",
                    "login_hosts": try identityProviders.map(\.issuer.authority).joined(separator: " "),
                    "deadline": deadline.description,
                ].filter { !$0.value.isEmpty }
                let bridge = LoginFlowSelectionBridge(
                    identityProvider: usual.peer.id.text,
                    hosts: try identityProviders.map { ($0.issuer.authority, $0.peer.id.text) })
                return try await bridge.answer(of: view)
            }
            let answer = try await surroundings.dialogue.ask(
                .loginFlow(
                    appName: appName, identityProviders: try identityProviders, reason: reason, deadline: deadline))
            switch answer.choice {
            case "local": return .localLogin()
            case "idp": return .identityProvider(usual.peer.id.text)
            default: return .identityProvider(answer.choice)
            }
        }
    }

    func identityProvider(_ id: String?) throws -> IdentityProviderEntry {
        guard let entry = try identityProviders.first(where: { id == nil || $0.peer.id.text == id }) else {
            throw Fault(.noIdentityProvider)
        }
        return entry
    }

    /// The identity provider app that is asked where none is named: the one that logs in at the host that is, if any.
    /// A host that none of them is known for goes to the first, which knows what is registered.
    private func usualIdentityProvider(_ options: LoginOptions) throws -> IdentityProviderEntry {
        try options.loginHost.flatMap(identityProvider(at:)) ?? identityProvider(nil)
    }

    /// The identity provider app whose provider has that login host, where this app knows one.
    private func identityProvider(at host: String) throws -> IdentityProviderEntry? {
        try identityProviders.first { sameHost($0.issuer.authority, host) }
    }

    /// A hint from the caller: an account of this app by name or subject, else the name as it is.
    private func hint(_ text: String?) throws -> UserHint? {
        guard let text else { return nil }
        let matches = try surroundings.store.read { snapshot in
            try accounts.store.list(in: snapshot).filter { $0.username == text || $0.subject == text }
        }
        switch matches.count {
        case 0: return .username(text)
        case 1: return .account(issuer: matches[0].issuer, subject: matches[0].subject)
        default: throw Fault(.ambiguousAccount)
        }
    }

    func remaining(until deadline: Timestamp) -> Duration {
        max(.zero, deadline - surroundings.environment.now())
    }

    // MARK: - Local login

    /// Logs in at the provider's own pages.
    ///
    /// - Throws: `unknown-login-host` where the host is that of no provider of this app.
    private func logInLocally(
        _ flow: FlowID, at host: String?, hint: String?, deadline: Timestamp
    ) async throws -> UserAccount {
        let known = if let host { try identityProvider(at: host) } else { try identityProvider(nil) as Optional }
        guard let entry = known else { throw Fault(.unknownLoginHost) }
        let provider = try await accounts.providers.connection(to: entry.issuer.text)
        let local = LocalLogin(
            provider: provider, surroundings: surroundings, scope: try ScopeSet(surroundings.manifest.scopes),
            keyThumbprint: try KeyThumbprint(provider.keyID), appName: surroundings.manifest.displayName,
            loginHint: hint, flow: flow.text)
        let announce = announce
        let environment = surroundings.environment
        return try await environment.withDeadline(
            remaining(until: deadline), orThrow: Fault(.deadlinePassed)
        ) { [self] in
            let redemption = try await local.run(until: deadline, announce: announce)
            let (account, tokens) = try await redemption.redeem(
                at: provider, repeating: Repetition(in: environment, until: deadline))
            try await accounts.logIn(account, tokens: tokens, identityProvider: nil)
            surroundings.journal.record(
                JournalEntry(
                    .decided, flow: flow.text, "logged in locally and made current", fields: ["outcome": "logged in"]))
            return account
        }
    }
}
