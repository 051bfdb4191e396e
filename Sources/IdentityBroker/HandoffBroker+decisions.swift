package import Basics
import Handoff
package import IdentityClient
import JOSE
import OpenIDConnect
package import Platform

/// The decision about one request: account, consent, code, answer.
extension HandoffBroker {
    /// Decides in a task of its own, so that the bus is answered at once and a cancel can take the question back.
    func decide(_ id: FlowID) {
        guard decisions[id] == nil else { return }
        decisions[id] = surroundings.environment.spawn("decide") { [self] in await runDecision(id) }
    }

    private func runDecision(_ id: FlowID) async {
        defer { decisions[id] = nil }
        do {
            try await answer(id)
        } catch is CancellationError {
            // The flow has ended already; whoever ended it has told the client.
        } catch is Cancellation {
            // Ended already, so that the flow's end does not cancel the task that is to tell the client.
            decisions[id] = nil
            try? await advance(id, .cancelledByUser)
        } catch ErrorCode.deadlinePassed {
            decisions[id] = nil
            try? await advance(id, .deadlinePassed)
        } catch {
            let refusal = error as? Refusal
            let fault = refusal?.fault ?? providerFault(error)
            journal(.decided, id, "refused", code: (fault as? any CodedError)?.code ?? .internalFault)
            try? await advance(id, .refused(refusal?.reason ?? Self.reason(of: fault)))
        }
    }

    /// The word of the closed list for an error of ours.
    private static func reason(of error: any Error) -> AuthError.Reason {
        switch (error as? any CodedError)?.code {
        case .some(.accessDenied), .some(.promptRefused), .some(.wrongPassword): .accessDenied
        case .some(.loginRequired), .some(.sessionEnded), .some(.unknownAccount): .loginRequired
        case .some(.interactionRequired): .interactionRequired
        case .some(.cannotBroker): .cannotBroker
        case .some(.httpUnreachable), .some(.httpTimeout): .temporarilyUnavailable
        default: .serverError
        }
    }

    private func answer(_ id: FlowID) async throws {
        guard let record = try surroundings.store.read({ try BrokerFlowRecord.table.find(id.text, in: $0) }),
            case .deciding = record.flow.phase, let sealedRequest = record.sealedRequest
        else { return }
        let flow = record.flow
        let hint = record.hint
        let client = try client(flow.peer)
        let compact = try sealer.open(sealedRequest, purpose: BrokerFlowRecord.purpose(id)).unmasked
        let request = try RequestCheck.verify(
            compact, of: client, issuer: issuer, now: surroundings.environment.now()
        ).request
        let asker = asker(client, calledItself: record.appName)
        let account = try await withPrompt(about: client.entry.id, until: flow.deadline) { [self] in
            var account = try await chooseAccount(hint: hint, asker: asker, deadline: flow.deadline)
            while try await consent(
                to: client, account: account, scope: request.scope, transport: record.transport, asker: asker,
                mayChange: hint == nil, deadline: flow.deadline) == .chooseAnother
            {
                account = try await chooseAmongAll(asker: asker, deadline: flow.deadline)
            }
            return account
        }
        // The prompts may have taken their time.
        guard surroundings.environment.now() < flow.deadline else { throw Fault(.deadlinePassed) }
        await surroundings.boundary(.brokerAccountChosen)
        let code = try await code(for: account, flow: flow, asker: asker) { [provider] tokens in
            try await CodeForClient(provider: provider).code(request: compact, tokens: tokens, flow: id)
        }
        await surroundings.boundary(.brokerCodeObtained)
        let response = SPLoginResponse(
            code: code, issuer: issuer.text, clientID: client.entry.clientID.text, state: request.state?.text ?? "",
            subject: account.subject)
        try await send(response, of: flow, to: client)
    }

    /// Stores the sealed answer with the transition, and then sends it: an answer that is known is never lost.
    private func send(_ response: SPLoginResponse, of flow: BrokerFlow, to client: RegisteredClientApp) async throws {
        guard case .deciding(let request) = flow.phase else { return }
        let sealed = try endpoint.seal(
            .authresponse(response), to: client.peer, flow: flow.id, inReplyTo: request)
        let stored = try sealer.seal(Secret(sealed.url), purpose: BrokerFlowRecord.purpose(flow.id))
        let isStored = try await surroundings.store.write(.full) { transaction in
            guard var record = try BrokerFlowRecord.table.find(flow.id.text, in: transaction) else { return false }
            guard !(try record.flow.receive(.codeObtained(response, id: sealed.envelope.id))).isEmpty else {
                return false
            }
            record.sealedCommand = stored
            record.sealedRequest = nil
            try record.put(in: transaction)
            return true
        }
        guard isStored else { throw CancellationError() }
        await surroundings.boundary(.brokerAnswerStored)
        try await deliverPatiently(flow) { [endpoint] in try await endpoint.deliver(sealed, to: client.peer) }
        await surroundings.boundary(.brokerAnswerSent)
    }

    // MARK: - Asking

    private enum ConsentAnswer { case given, chooseAnother }

    private func asker(_ client: RegisteredClientApp, calledItself name: String?) -> Question.Asker {
        Question.Asker(
            name: client.entry.displayName, id: client.entry.id.text,
            keyFingerprint: client.peer.commandKeys.first?.thumbprint.display ?? "",
            unverifiedName: name == client.entry.displayName ? nil : name)
    }

    /// Lets one client be asked about at a time, and bounds the questions by the flow's deadline.
    private func withPrompt<Value: Sendable>(
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

    private func chooseAccount(
        hint: UserHint?, asker: Question.Asker, deadline: Timestamp
    ) async throws -> UserAccount {
        switch AccountChoice(hint: hint, signedIn: try await signedIn(), issuer: issuer.text) {
        case .use(let account): return account
        case .ask(let list): return try await choose(among: list, asker: asker, deadline: deadline)
        case .signIn(let name):
            do {
                let account = try await signIn(username: name, asker: asker, deadline: deadline)
                if let hint, !hint.fits(account) { throw Fault(.loginRequired) }
                return account
            } catch ErrorCode.interactionRequired where hint != nil {
                throw Fault(.loginRequired)
            }
        }
    }

    private func chooseAmongAll(asker: Question.Asker, deadline: Timestamp) async throws -> UserAccount {
        try await choose(among: try await signedIn(), asker: asker, deadline: deadline)
    }

    private func choose(
        among list: [UserAccount], asker: Question.Asker, deadline: Timestamp
    ) async throws -> UserAccount {
        var choices = list.enumerated().map { index, account in
            Question.Choice("account-\(index + 1)", account.username, subtitle: account.displayName ?? account.email)
        }
        choices.append(Question.Choice("sign-in", "Use another account"))
        let answer = try await surroundings.dialogue.ask(
            Question(
                .userSelection, title: "Which account for \(asker.name)?", asker: asker, choices: choices,
                deadline: deadline))
        guard let index = choices.firstIndex(where: { $0.id == answer.choice }), index < list.count else {
            return try await signIn(username: nil, asker: asker, deadline: deadline)
        }
        return list[index]
    }

    private func consent(
        to client: RegisteredClientApp, account: UserAccount, scope: ScopeSet, transport: Transport,
        asker: Question.Asker, mayChange: Bool, deadline: Timestamp
    ) async throws -> ConsentAnswer {
        let record = ConsentRecord(
            issuer: issuer.text, subject: account.subject, clientID: client.entry.clientID,
            key: client.oauthKey.thumbprint, scope: scope, givenAt: surroundings.environment.now())
        let isRecorded = try surroundings.store.read { try ConsentRecord.exists(record, in: $0) }
        guard
            ConsentDecision(rule: client.entry.consent, isRecorded: isRecorded, transport: transport) == .ask
        else { return .given }
        var choices = [Question.Choice("allow", "Allow")]
        if mayChange { choices.append(.init("other", "Choose another account")) }
        choices.append(.init("deny", "Do not allow"))
        var lines = ["As \(account.username), it would be able to:"] + scope.names.map { "· \(ScopeText.text($0))" }
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
            return .given
        case "other": return .chooseAnother
        default: throw Fault(.accessDenied)
        }
    }

    /// This app's own login, asked for by name and password.
    package func signIn(
        username: String?, asker: Question.Asker?, deadline: Timestamp
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
                return try await logIn(username: name, password: password, session: session)
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
        username: String, password: Secret<String>, session: String? = nil
    ) async throws -> UserAccount {
        let (account, tokens) = try await passwordLogin.attempt(
            username: username, password: password, session: session)
        try await accounts.logIn(account, tokens: tokens, identityProvider: nil)
        journal(.decided, nil, "signed in")
        return account
    }

    // MARK: - The code

    /// Obtains a code; where the provider wants the person again, signs in once more and repeats the call.
    func code(
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
                try await signIn(username: account.username, asker: asker, deadline: flow.deadline)
            }
            guard again.subject == account.subject else { throw Fault(.loginRequired) }
            return try await obtain(try tokens())
        }
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
