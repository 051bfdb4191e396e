import Basics
public import FoundationEssentials
import Handoff
import JOSE
import OpenIDConnect
import Platform

/// What arrives: the contract of `handleIdentityProviderCommand`.
extension HandoffClient {
    /// Whether the URL is a command for this app: `false` for a wrong scheme, host, version or name.
    public nonisolated func claims(_ url: String) -> Bool { endpoint.claims(url) }

    /// Handles a URL command that the app got by other means than the bus: an argument, a paste, a view.
    ///
    /// - Returns: the account that came of it, or `nil` when the command ended without one (a `ping`).
    /// - Throws: `UserAccountManagerError.loginFailed` with the rule that refused, or how the login failed.
    public func handleIdentityProviderCommand(from url: String) async throws -> (UserAccount, AuthInfo)? {
        try await handle(url, sender: nil)
    }

    /// Handles a URL command, as the original has it.
    ///
    /// - Returns: `false` when it is not our command; then `completion` is never called. `true` when it is claimed;
    ///   then `completion` is called exactly once, whatever happens.
    @discardableResult
    public nonisolated func handleIdentityProviderCommand(
        from url: URL, with options: [String: String] = [:],
        completion: @escaping @Sendable (Result<(UserAccount, AuthInfo), UserAccountManagerError>) -> Void
    ) -> Bool {
        guard claims(url.absoluteString) else { return false }
        surroundings.environment.spawn("handle") { [self] in
            completion(await result(of: url.absoluteString))
        }
        return true
    }

    private func result(of url: String) async -> Result<(UserAccount, AuthInfo), UserAccountManagerError> {
        do {
            guard let result = try await handle(url, sender: nil) else {
                return .failure(.loginFailed(underlyingError: Fault(.commandUncorrelated), authInfo: AuthInfo(.idp)))
            }
            return .success(result)
        } catch let error as UserAccountManagerError {
            return .failure(error)
        } catch {
            return .failure(.loginFailed(underlyingError: error, authInfo: AuthInfo(.idp)))
        }
    }

    /// Verifies and handles a URL from the bus (`sender`) or from elsewhere.
    func handle(_ url: String, sender: PeerEvidence?) async throws -> (UserAccount, AuthInfo)? {
        guard let incoming = try await endpoint.accept(url, from: sender) else { return nil }
        let info = AuthInfo(.idp, flow: incoming.command.flow.text)
        do {
            let account: UserAccount?
            switch incoming.command.command {
            case .idpinit(let invitation): account = try await accept(invitation, incoming)
            case .idpauthcodeinit(let request): account = try await accept(request, incoming)
            default: account = try await answer(incoming)
            }
            return account.map { ($0, info) }
        } catch {
            throw UserAccountManagerError.loginFailed(underlyingError: error, authInfo: info)
        }
    }

    /// An answer to a pending flow: the replay mark and the flow's transition are one commit.
    private func answer(_ incoming: IncomingCommand) async throws -> UserAccount? {
        let command = incoming.command
        let now = surroundings.environment.now()
        let ledger = ledger
        let sealer = sealer
        let record: FlowRecord
        let actions: [ClientFlow.Action]
        do {
            (record, actions) = try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                guard var record = try FlowRecord.table.find(command.flow.text, in: transaction) else {
                    throw Fault(.commandUncorrelated, detail: "no such flow")
                }
                let actions = try record.flow.receive(.command(command))
                if case .redeem(let code, let subject) = actions.first {
                    if let expected = record.expectedSubject, expected != subject { throw Fault(.wrongAccount) }
                    record.expectedSubject = subject
                    record.sealedCode = try sealer.seal(code, purpose: FlowRecord.purpose(command.flow))
                }
                record.clean()
                try record.put(in: transaction)
                return (record, actions)
            }
        } catch ErrorCode.wrongAccount {
            // The peer was asked for one account and answered with another: the flow ends, nothing is stored.
            await endpoint.refused(Fault(.wrongAccount), sender: incoming.sender, incoming: incoming)
            try await advance(command.flow, .failed(Fault(.wrongAccount)))
            throw Fault(.wrongAccount)
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
        try await perform(actions, of: record)
        let ended = try surroundings.store.read { try FlowRecord.table.find(command.flow.text, in: $0)?.flow.outcome }
        return try ended.map { try account(of: $0, issuer: record.flow.issuer) }
    }

    // MARK: - Begun by the identity provider app

    /// `idpinit`: switches to the hinted account, or starts a login of this app's own.
    private func accept(_ invitation: IDPLoginRequest, _ incoming: IncomingCommand) async throws -> UserAccount? {
        let command = incoming.command
        let entry = try identityProvider(command.sender.text)
        try await mark(incoming)
        let known: UserAccount?
        do {
            try checkStart(invitation.startURL)
            known = try knownAccount(invitation.userHint, of: entry)
            let hinted = known?.username ?? invitation.userHint.shownName
            try await confirmSwitch(to: hinted, known: known, entry: entry, transport: incoming.transport)
            if let known, try await accounts.hasSession(known) {
                try await switchTo(known, incoming, entry, startURL: invitation.startURL)
                return known
            }
        } catch {
            await refuse(error, incoming, entry)
            throw error
        }
        // From here on the flow itself tells the peer how it ends.
        let account = try await handOff(
            to: entry, flow: command.flow, origin: .invitation, hint: invitation.userHint,
            deadline: surroundings.environment.now() + LoginOptions.withPeople, inReplyTo: command.id,
            startURL: invitation.startURL)
        await open(invitation.startURL)
        return account
    }

    /// `idpauthcodeinit`: the code came unasked; the verifier waits in the group's store, sealed to this app.
    private func accept(
        _ request: IDPAuthCodeLoginRequest, _ incoming: IncomingCommand
    ) async throws -> UserAccount? {
        let command = incoming.command
        let entry = try identityProvider(command.sender.text)
        try await mark(incoming)
        let begun: FlowRecord
        do {
            guard entry.allowsKeychain else { throw Fault(.keychainRefused) }
            guard sameBytes(request.issuer, entry.issuer.text) else { throw Fault(.answerIssuerMismatch) }
            guard sameBytes(request.clientID, entry.clientID.text) else { throw Fault(.clientMismatch) }
            try checkStart(request.startURL)
            let slot = try await takeSlot(command.flow)
            let hint = UserHint.account(issuer: request.issuer, subject: request.subject)
            let known = try knownAccount(hint, of: entry)
            try await confirmSwitch(
                to: known?.username ?? slot.username, known: known, entry: entry, transport: incoming.transport)
            if let known, try await accounts.hasSession(known) {
                // The code is of no use then, and is forgotten with this frame.
                try await switchTo(known, incoming, entry, startURL: request.startURL)
                return known
            }
            begun = try await begin(request, slot, incoming, entry)
        } catch {
            await refuse(error, incoming, entry)
            throw error
        }
        let account = try await redeemUnasked(request, begun)
        await open(request.startURL)
        return account
    }

    /// Makes a known account current, and says so; that the peer cannot be told changes nothing here.
    private func switchTo(
        _ account: UserAccount, _ incoming: IncomingCommand, _ entry: IdentityProviderEntry, startURL: String?
    ) async throws {
        let flow = incoming.command.flow
        try await accounts.switchTo(account)
        journal(.decided, flow, "switched to an account that was known")
        do {
            try await endpoint.send(
                .authack(.init(.switched)), to: entry.peer, flow: flow, inReplyTo: incoming.command.id)
        } catch {
            journal(.note, flow, "authack could not be delivered", code: (error as? any CodedError)?.code)
        }
        await open(startURL)
    }

    /// Stores the flow of a code that came unasked and is taken.
    private func begin(
        _ request: IDPAuthCodeLoginRequest, _ slot: KeychainSlot, _ incoming: IncomingCommand,
        _ entry: IdentityProviderEntry
    ) async throws -> FlowRecord {
        let id = incoming.command.flow
        let purpose = FlowRecord.purpose(id)
        guard let redirect = surroundings.manifest.redirectURIs.first else { throw Fault(.noIdentityProvider) }
        let record = FlowRecord(
            flow: ClientFlow(
                redeemingUnasked: incoming.command, issuer: entry.issuer.text, clientID: entry.clientID.text,
                nonce: slot.nonce, deadline: surroundings.environment.now() + LoginOptions.betweenPrograms,
                startURL: request.startURL),
            sealedVerifier: try sealer.seal(slot.verifier, purpose: purpose),
            redirectURI: try RedirectURI(redirect), scope: try ScopeSet(surroundings.manifest.scopes),
            sealedRequest: nil, sealedCode: try sealer.seal(request.code, purpose: purpose),
            expectedSubject: request.subject)
        _ = try await surroundings.store.write(.full) { try record.put(in: $0) }
        return record
    }

    private func redeemUnasked(_ request: IDPAuthCodeLoginRequest, _ record: FlowRecord) async throws -> UserAccount {
        let promise = Promise<ClientFlow.Outcome>()
        waiters[record.flow.id] = promise
        defer { waiters[record.flow.id] = nil }
        try await perform([.redeem(code: request.code, subject: request.subject)], of: record)
        return try account(of: try await promise.value(), issuer: record.flow.issuer)
    }

    /// Marks a command that begins a flow as taken.
    private func mark(_ incoming: IncomingCommand) async throws {
        let now = surroundings.environment.now()
        let ledger = ledger
        do {
            _ = try await surroundings.store.write(.full) { transaction in
                guard try FlowRecord.table.find(incoming.command.flow.text, in: transaction) == nil else {
                    throw Fault(.commandUncorrelated, detail: "the flow is under way already")
                }
                try ledger.admit(incoming.command, now: now, in: transaction)
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
    }

    private func refuse(
        _ error: any Error, _ incoming: IncomingCommand, _ entry: IdentityProviderEntry
    ) async {
        let command: Command =
            switch error {
            case is Cancellation, is CancellationError: .cancel
            case let fault as Fault where fault.code == .interactionRequired: .error(AuthError(.interactionRequired))
            case let fault as Fault where fault.code == .loginRequired: .error(AuthError(.loginRequired))
            default: .error(AuthError(.accessDenied))
            }
        journal(
            .decided, incoming.command.flow, "the invitation was not taken",
            code: (error as? any CodedError)?.code)
        try? await endpoint.send(
            command, to: entry.peer, flow: incoming.command.flow,
            inReplyTo: command == .cancel ? nil : incoming.command.id)
    }

    private func knownAccount(_ hint: UserHint, of entry: IdentityProviderEntry) throws -> UserAccount? {
        let all = try surroundings.store.read { try accounts.store.list(in: $0) }
        let matches = all.filter { account in
            guard account.issuer == entry.issuer.text else { return false }
            return switch hint {
            case .account(let issuer, let subject):
                sameBytes(account.issuer, issuer) && sameBytes(account.subject, subject)
            case .username(let name): sameBytes(account.username, name)
            }
        }
        guard matches.count <= 1 else { throw Fault(.ambiguousAccount) }
        return matches.first
    }

    /// Asks the person, who sees both names, unless the account is current already, or the app's own entry says
    /// `switch: silent` and the command came directly.
    private func confirmSwitch(
        to name: String, known: UserAccount?, entry: IdentityProviderEntry, transport: Transport
    ) async throws {
        let current = try surroundings.store.read { try accounts.store.current(in: $0) }
        if transport == .direct {
            if let known, known == current { return }
            if entry.switchesSilently { return }
        }
        let peer = entry.peer
        let question = Question(
            .switchConfirmation, title: "Use \(name) in \(surroundings.manifest.displayName)?",
            asker: .init(
                name: peer.displayName, id: peer.id.text,
                keyFingerprint: peer.commandKeys.first?.thumbprint.display ?? ""),
            lines: [
                current.map { "\($0.username) is the current account." } ?? "Nobody is logged in here now.",
                known == nil ? "\(name) would be logged in as a new account." : "\(name) is known here already.",
            ],
            choices: [.init("switch", "Use \(name)"), .init("keep", "Change nothing")],
            deadline: surroundings.environment.now() + LoginOptions.withPeople)
        let answer = try await surroundings.environment.withDeadline(
            LoginOptions.withPeople, orThrow: Fault(.deadlinePassed)
        ) { [surroundings] in
            try await surroundings.dialogue.ask(question)
        }
        guard answer.choice == "switch" else { throw Cancellation(by: .user) }
    }

    private func checkStart(_ address: String?) throws {
        guard let address else { return }
        try StartAddress.check(
            address, schemes: surroundings.manifest.schemes, hosts: surroundings.manifest.domains)
    }

    private func open(_ address: String?) async {
        guard let address else { return }
        do {
            try await surroundings.opener.open(address)
        } catch {
            announce(address)
        }
    }

    private func takeSlot(_ flow: FlowID) async throws -> KeychainSlot {
        for name in surroundings.manifest.groups {
            guard let group = surroundings.groups[name],
                let item = try await group.take(flow.text, now: surroundings.environment.now())
            else { continue }
            guard item.owner == surroundings.manifest.id else { throw Fault(.slotMissing) }
            return try KeychainSlot(item.value, openedBy: keys.encryption)
        }
        throw Fault(.slotMissing)
    }
}

extension UserHint {
    /// What to call the hinted person before anything more is known.
    fileprivate var shownName: String {
        switch self {
        case .account(_, let subject): subject
        case .username(let name): name
        }
    }
}
