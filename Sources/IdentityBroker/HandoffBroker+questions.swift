package import Basics
package import Handoff
package import IdentityClient
import JOSE
import OpenIDConnect
package import Platform

/// What the identity provider app asks a person: which account, whether a client may use it, and name and password.
extension HandoffBroker {
    enum ConsentAnswer {
        /// Allowed before, or by rule.
        case given
        /// The person was asked and allowed it.
        case givenNow
        case chooseAnother
    }

    func asker(_ client: RegisteredClientApp, calledItself name: String?) -> Question.Asker {
        Question.Asker(
            name: client.entry.displayName, id: client.entry.id.text,
            keyFingerprint: client.peer.commandKeys.first?.thumbprint.display ?? "",
            unverifiedName: name == client.entry.displayName ? nil : name)
    }

    /// Lets one client be asked about at a time, and bounds the questions by the flow's deadline.
    func withPrompt<Value: Sendable>(
        about client: AppID, until deadline: Timestamp, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await takeTurn(client, until: deadline)
        defer { gate.leave(client) }
        do {
            return try await surroundings.environment.withDeadline(
                remaining(until: deadline), orThrow: Fault(.deadlinePassed), body)
        } catch ErrorCode.accessDenied {
            gate.refused(client, now: surroundings.environment.now())
            throw Fault(.accessDenied)
        }
    }

    private func takeTurn(_ client: AppID, until deadline: Timestamp) async throws {
        let environment = surroundings.environment
        switch gate.enter(client, now: environment.now()) {
        case .open: return
        case .refused: throw Fault(.promptRefused)
        case .wait(let turn):
            do {
                try await environment.withDeadline(remaining(until: deadline), orThrow: Fault(.deadlinePassed)) {
                    try await turn.value()
                }
            } catch {
                gate.abandon(client, turn)
                throw error
            }
            // The question before this one may have been the second to be refused.
            guard !gate.isRefused(client, now: environment.now()) else {
                gate.leave(client)
                throw Fault(.promptRefused)
            }
        }
    }

    private func signedIn() async throws -> [UserAccount] {
        var list: [UserAccount] = []
        for account in try await accounts.all() where try await accounts.hasSession(account) { list.append(account) }
        return list
    }

    private func signedOut() async throws -> [UserAccount] {
        var list: [UserAccount] = []
        for account in try await accounts.all() where try await !accounts.hasSession(account) { list.append(account) }
        return list
    }

    func chooseAccount(
        hint: UserHint?, asker: Question.Asker, deadline: Timestamp, flow: FlowID
    ) async throws -> UserAccount {
        switch AccountChoice(hint: hint, signedIn: try await signedIn(), issuer: issuer.text) {
        case .use(let account): return account
        case .ask(let list): return try await choose(among: list, asker: asker, deadline: deadline, flow: flow)
        case .signIn(let name):
            do {
                let account = try await signIn(username: name, asker: asker, deadline: deadline, flow: flow)
                if let hint, !hint.fits(account) { throw Fault(.loginRequired) }
                return account
            } catch ErrorCode.interactionRequired where hint != nil {
                throw Fault(.loginRequired)
            }
        }
    }

    func chooseAmongAll(asker: Question.Asker, deadline: Timestamp, flow: FlowID) async throws -> UserAccount {
        try await choose(among: try await signedIn(), asker: asker, deadline: deadline, flow: flow)
    }

    private func choose(
        among list: [UserAccount], asker: Question.Asker, deadline: Timestamp, flow: FlowID
    ) async throws -> UserAccount {
        var choices = list.enumerated().map { index, account in
            Question.Choice("account-\(index + 1)", account.username, subtitle: account.displayName ?? account.email)
        }
        // Shown, so that nobody looks for an account in vain.
        choices += try await signedOut().enumerated().map { index, account in
            Question.Choice(
                "signed-out-\(index + 1)", account.username, subtitle: account.displayName ?? account.email,
                disabledReason: "it is signed out; use another account, and sign in as \(account.username)")
        }
        choices.append(Question.Choice("sign-in", "Use another account"))
        let answer = try await surroundings.dialogue.ask(
            Question(
                .userSelection, title: "Which account for \(asker.name)?", asker: asker, choices: choices,
                deadline: deadline))
        guard let index = choices.firstIndex(where: { $0.id == answer.choice }), index < list.count else {
            return try await signIn(username: nil, asker: asker, deadline: deadline, flow: flow)
        }
        return list[index]
    }

    /// Whether a client may use an account: as its rule and what was allowed before say, else as the person does.
    ///
    /// - Parameter isTakenBack: whether the provider says that it holds no longer; then the person is asked in any case.
    func consent(
        to client: RegisteredClientApp, account: UserAccount, request: AuthorizationRequest, transport: Transport,
        asker: Question.Asker, mayChange: Bool, isTakenBack: Bool = false, deadline: Timestamp
    ) async throws -> ConsentAnswer {
        let record = ConsentRecord(
            issuer: issuer.text, subject: account.subject, clientID: client.entry.clientID,
            key: request.dpopThumbprint ?? client.oauthKey.thumbprint, scope: request.scope,
            givenAt: surroundings.environment.now())
        let isRecorded = try surroundings.store.read { try ConsentRecord.exists(record, in: $0) }
        let decision = ConsentDecision(rule: client.entry.consent, isRecorded: isRecorded, transport: transport)
        guard isTakenBack || decision == .ask else { return .given }
        var choices = [Question.Choice("allow", "Allow")]
        if mayChange { choices.append(.init("other", "Choose another account")) }
        choices.append(.init("deny", "Do not allow"))
        var lines =
            ["As \(account.username), it would be able to:"] + ScopeText.texts(request.scope.names).map { "· \($0)" }
        if isTakenBack { lines.append("You allowed it before, and took that back.") }
        if transport == .opener {
            lines.append("The request came by an opened address, not from the app itself.")
        }
        let answer = try await surroundings.dialogue.ask(
            Question(
                .consent, title: "Let \(asker.name) use your account?", asker: asker, lines: lines, choices: choices,
                deadline: deadline))
        switch answer.choice {
        case "allow":
            try await surroundings.store.write(.full) { try record.put(in: $0) }
            return .givenNow
        case "other": return .chooseAnother
        default: throw Fault(.accessDenied)
        }
    }

    /// This app's own login, asked for by name and password.
    package func signIn(
        username: String?, asker: Question.Asker?, deadline: Timestamp, flow: FlowID? = nil
    ) async throws -> UserAccount {
        var problem: String?
        var session: String?
        var name = username ?? ""
        while true {
            let answer = try await surroundings.dialogue.ask(
                Question(
                    .signIn, title: "Sign in", asker: asker,
                    lines: asker.map { ["to continue to \($0.name)"] } ?? [], problem: problem,
                    fields: [
                        .init("username", "User name", value: name),
                        .init("password", "Password", isSecret: true),
                    ],
                    choices: [.init("sign-in", "Sign in")], deadline: deadline))
            name = answer.fields["username"]?.unmasked ?? ""
            guard let password = answer.fields["password"] else { throw Fault(.interactionRequired) }
            guard !name.isEmpty, !password.unmasked.isEmpty else {
                problem = "Type a user name and a password."
                continue
            }
            do {
                return try await logIn(username: name, password: password, session: session, flow: flow)
            } catch let error as OAuthError where error.code == .insufficientAuthorization {
                problem = error.description
                session = error.members["auth_session"]?.stringValue
            }
        }
    }

    /// Tries one name and password, and keeps the account.
    ///
    /// - Throws: `OAuthError` with `insufficient_authorization` for a miss.
    package func logIn(
        username: String, password: Secret<String>, session: String? = nil, flow: FlowID? = nil
    ) async throws -> UserAccount {
        let (account, tokens) = try await passwordLogin.attempt(
            username: username, password: password, session: session, flow: flow)
        try await accounts.logIn(account, tokens: tokens, identityProvider: nil)
        journal(.decided, flow, "signed in")
        return account
    }
}

extension UserHint {
    /// Whether an account is the one that is hinted at.
    fileprivate func fits(_ account: UserAccount) -> Bool {
        switch self {
        case .account(let issuer, let subject): account.issuer == issuer && account.subject == subject
        case .username(let name): account.username == name
        }
    }
}
