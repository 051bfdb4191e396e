import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform

/// Hand-offs that the identity provider app begins. Each is a flow from the first moment: it is stored, may be taken
/// back by the peer while the person is asked, and is told how it ended.
extension HandoffClient {
    /// `idpinit`: switches to the hinted account, or starts a login of this app's own.
    func accept(_ invitation: IDPLoginRequest, _ incoming: IncomingCommand) async throws -> UserAccount? {
        let entry = try identityProvider(incoming.command.sender.text)
        let record = try await take(incoming, entry)
        let known = try await decision(on: record) { [self] in
            try await decide(invitation, entry, incoming.transport)
        }
        if let known { return try await switchTo(known, record, startURL: invitation.startURL) }
        // From here on the flow itself tells the peer how it ends.
        return try await handOff(
            to: entry, flow: record.flow.id, origin: .invitation, hint: invitation.userHint,
            deadline: surroundings.environment.now() + LoginOptions.withPeople, inReplyTo: incoming.command.id,
            startURL: invitation.startURL)
    }

    /// `idpauthcodeinit`: the code came unasked; the verifier waits in the group's store, sealed to this app.
    func accept(_ request: IDPAuthCodeLoginRequest, _ incoming: IncomingCommand) async throws -> UserAccount? {
        let entry = try identityProvider(incoming.command.sender.text)
        let record = try await take(incoming, entry)
        let (known, slot) = try await decision(on: record) { [self] in
            try await decide(request, record.flow.id, entry, incoming.transport)
        }
        // The code is of no use to a switch, and is forgotten with this frame.
        if let known { return try await switchTo(known, record, startURL: request.startURL) }
        return try await redeemUnasked(request, slot, incoming, entry)
    }

    /// Whether an invitation is taken: the account to switch to, where it is there and its session goes on.
    private func decide(
        _ invitation: IDPLoginRequest, _ entry: IdentityProviderEntry, _ transport: Transport
    ) async throws -> UserAccount? {
        try checkStart(invitation.startURL)
        let known = try knownAccount(invitation.userHint, of: entry)
        let hinted = known?.username ?? invitation.userHint.shownName
        try await confirmSwitch(to: hinted, known: known, entry: entry, transport: transport)
        return try await withSession(known)
    }

    /// The same for a code that came unasked, with what waits for it in the group's store.
    private func decide(
        _ request: IDPAuthCodeLoginRequest, _ flow: FlowID, _ entry: IdentityProviderEntry, _ transport: Transport
    ) async throws -> (UserAccount?, KeychainSlot) {
        guard entry.allowsKeychain else { throw Fault(.keychainRefused) }
        guard sameBytes(request.issuer, entry.issuer.text) else { throw Fault(.answerIssuerMismatch) }
        guard sameBytes(request.clientID, entry.clientID.text) else { throw Fault(.clientMismatch) }
        try checkStart(request.startURL)
        let slot = try await takeSlot(flow)
        let known = try knownAccount(.account(issuer: request.issuer, subject: request.subject), of: entry)
        try await confirmSwitch(to: known?.username ?? slot.username, known: known, entry: entry, transport: transport)
        return (try await withSession(known), slot)
    }

    // MARK: - Taking and deciding

    /// Takes a command that begins a flow: its replay mark and the flow are one commit.
    private func take(_ incoming: IncomingCommand, _ entry: IdentityProviderEntry) async throws -> FlowRecord {
        let command = incoming.command
        let now = surroundings.environment.now()
        let ledger = ledger
        let record = try FlowRecord(
            invitation: ClientFlow(
                invitedBy: command, issuer: entry.issuer.text, clientID: entry.clientID.text,
                deadline: now + LoginOptions.withPeople),
            signedBy: command.keyID, manifest: surroundings.manifest)
        let isSingleFlow = entry.isSingleFlow
        let full: Fault?
        do {
            full = try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                if var there = try FlowRecord.table.find(command.flow.text, in: transaction) {
                    _ = try there.flow.receive(.command(command))
                    throw Fault(.commandUncorrelated, detail: "the flow is there already")
                }
                try FlowContract.admit(command, at: .client, in: .none)
                do {
                    try Self.admit(record, isSingleFlow: isSingleFlow, now: now, in: transaction)
                } catch let full as Fault where [.tooManyFlows, .alreadyInProgress].contains(full.code) {
                    return full
                }
                return nil
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
        if let full {
            await tell(record.flow, .error(AuthError(.temporarilyUnavailable)), inReplyTo: command.id)
            throw full
        }
        await surroundings.boundary(.clientInvitationTaken)
        return record
    }

    /// Decides whether an invitation is taken, in a task of its own, so that the peer can take it back. One that is not
    /// taken ends its flow, and the peer is told.
    private func decision<Value: Sendable>(
        on record: FlowRecord, _ decide: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let id = record.flow.id
        let task = surroundings.environment.spawn("decide on an invitation", decide)
        stopDeciding[id] = { task.cancel() }
        defer { stopDeciding[id] = nil }
        do {
            let decided = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            // The person may have taken his time, and the key that invited may be gone.
            if isOfRevokedKey(record) { throw Fault(.unknownKey) }
            return decided
        } catch {
            try await checkPending(record)
            journal(.decided, id, "the invitation was not taken", code: (error as? any CodedError)?.code)
            await giveUp(id, because: error)
            throw error
        }
    }

    /// Whether the peer's key that began the flow is pinned no more.
    nonisolated func isOfRevokedKey(_ record: FlowRecord) -> Bool {
        guard let keyID = record.invitedBy else { return false }
        return (try? identityProviders.first { $0.peer.id == record.flow.peer }?.peer.pins(keyID: keyID)) != true
    }

    /// Throws how the flow ended, where it has ended meanwhile.
    private func checkPending(_ record: FlowRecord) async throws {
        let now = try surroundings.store.read { try FlowRecord.table.find(record.flow.id.text, in: $0)?.flow.outcome }
        if let now { _ = try account(of: now, issuer: record.flow.issuer) }
    }

    /// Makes a known account current and ends the flow, in one commit.
    private func switchTo(_ account: UserAccount, _ record: FlowRecord, startURL: String?) async throws -> UserAccount {
        let id = record.flow.id
        let store = accounts.store
        let before = try await accounts.current()
        let (ended, actions) = try await surroundings.store.write(.full) { transaction in
            guard var current = try FlowRecord.table.find(id.text, in: transaction) else { throw Fault(.flowUnknown) }
            let actions = try current.flow.receive(.switched(subject: account.subject))
            if !actions.isEmpty {
                try store.makeCurrent(account.key, in: transaction)
                try current.put(in: transaction)
            }
            return (current, actions)
        }
        // Somebody else ended it meanwhile, and says how.
        if actions.isEmpty, let outcome = ended.flow.outcome {
            return try self.account(of: outcome, issuer: ended.flow.issuer)
        }
        await surroundings.boundary(.clientSwitched)
        if before != account { await accounts.changed() }
        try await perform(actions, of: ended)
        await open(startURL)
        return account
    }

    /// Stores a code that came unasked and is taken, and redeems it.
    private func redeemUnasked(
        _ request: IDPAuthCodeLoginRequest, _ slot: KeychainSlot, _ incoming: IncomingCommand,
        _ entry: IdentityProviderEntry
    ) async throws -> UserAccount {
        let id = incoming.command.flow
        let purpose = FlowRecord.purpose(id)
        var record = try FlowRecord(
            invitation: ClientFlow(
                redeemingUnasked: incoming.command, issuer: entry.issuer.text, clientID: entry.clientID.text,
                nonce: slot.nonce, subject: request.subject,
                deadline: surroundings.environment.now() + LoginOptions.betweenPrograms, startURL: request.startURL),
            signedBy: incoming.command.keyID, manifest: surroundings.manifest)
        record.sealedVerifier = try sealer.seal(slot.verifier, purpose: purpose)
        record.sealedCode = try sealer.seal(request.code, purpose: purpose)
        let promise = Promise<ClientFlow.Outcome>()
        waiters[id] = promise
        defer { waiters[id] = nil }
        let begun = record
        let ended = try await surroundings.store.write(.full) { try begun.replaceInvitation(in: $0) }
        if let ended { return try account(of: ended, issuer: entry.issuer.text) }
        try await perform([.redeem(code: request.code, subject: request.subject)], of: begun)
        return try account(of: try await promise.value(), issuer: entry.issuer.text)
    }

    // MARK: - What is asked, and what is there

    /// The account, where its session goes on.
    private func withSession(_ account: UserAccount?) async throws -> UserAccount? {
        guard let account, try await accounts.hasSession(account) else { return nil }
        return account
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

    private func takeSlot(_ flow: FlowID) async throws -> KeychainSlot {
        for name in surroundings.manifest.groups {
            guard let group = surroundings.groups[name] else { continue }
            let taken: SharedSecret?
            do {
                taken = try await group.take(flow.text, now: surroundings.environment.now())
            } catch ErrorCode.notGroupMember {
                // The manifest asks for groups; in which the app is stands in the registry.
                continue
            }
            guard let item = taken else { continue }
            guard item.owner == surroundings.manifest.id else { throw Fault(.slotMissing) }
            let now = surroundings.environment.now()
            return try KeychainSlot(item.value, openedBy: try await keyring.current().decryptionKeys(at: now))
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
