import Basics
import FoundationEssentials
import Handoff
import JOSE
import OpenIDConnect
import Platform

/// What follows from an event of a flow: one commit, then its effects, of which redeeming the code is one.
extension HandoffClient {
    /// Applies an event that is no command, in one commit, and then does what follows from it.
    func advance(_ id: FlowID, _ event: ClientFlow.Event) async throws {
        let (record, actions) = try await surroundings.store.write(.full) { transaction in
            guard var record = try FlowRecord.table.find(id.text, in: transaction) else {
                return (FlowRecord?.none, [ClientFlow.Action]())
            }
            let actions = try record.flow.receive(event)
            record.clean()
            try record.put(in: transaction)
            return (record, actions)
        }
        if let record { try await perform(actions, of: record) }
    }

    /// Does what a transition asked for.
    func perform(_ actions: [ClientFlow.Action], of record: FlowRecord) async throws {
        for action in actions {
            switch action {
            case .stopDeciding: stopDeciding[record.flow.id]?()
            case .redeem: try await redeem(record)
            case .send(let command, let reply):
                await tell(record.flow, command, inReplyTo: reply)
            case .resolve(let outcome):
                journal(outcome, of: record.flow)
                for name in sentTo.keys { sentTo[name]?.remove(record.flow.id) }
                waiters[record.flow.id]?.fulfil(outcome)
            }
        }
    }

    /// Tells the peer, by the process that owns this app's name; that it cannot be reached changes nothing here.
    func tell(_ flow: ClientFlow, _ command: Command, inReplyTo reply: CommandID?) async {
        do {
            let peer = try identityProvider(flow.peer.text).peer
            let sealed = try await endpoint.seal(command, to: peer, flow: flow.id, inReplyTo: reply)
            if await endpoint.isRegistered, try await deliverOrLeave(sealed, to: peer) { return }
            try await keep(sealed)
            // Nobody is started for a last word.
            guard try await surroundings.bus.owner(of: surroundings.manifest.id) != nil else { return }
            try await surroundings.bus.activate(
                "send-login", parameter: flow.id.text, at: surroundings.manifest.id)
        } catch {
            journal(
                .note, flow.id, "\(command.name.rawValue) could not be delivered",
                code: (error as? any CodedError)?.code)
        }
    }

    /// Delivers a command; `false` where this process is just leaving the bus.
    private func deliverOrLeave(_ sealed: SealedCommand, to peer: Peer) async throws -> Bool {
        do {
            try await endpoint.deliver(sealed, to: peer)
            return true
        } catch let error where error is CancellationError || ErrorCode.busUnavailable ~= error {
            return false
        }
    }

    /// Keeps the last word of a flow, until it is out: whoever owns the app's name next says it.
    private func keep(_ sealed: SealedCommand) async throws {
        let id = sealed.envelope.flow
        let stored = try sealer.seal(Secret(sealed.url), purpose: FlowRecord.purpose(id))
        try await surroundings.store.write(.full) { transaction in
            guard var record = try FlowRecord.table.find(id.text, in: transaction), record.flow.outcome != nil else {
                return
            }
            record.sealedCommand = stored
            try record.put(in: transaction)
        }
    }

    /// Redeems the code of a flow, stores the account and ends the flow in one commit.
    func redeem(_ record: FlowRecord) async throws {
        let id = record.flow.id
        do {
            let purpose = FlowRecord.purpose(id)
            guard let sealedCode = record.sealedCode else { throw Fault(.internalFault) }
            let provider = try await accounts.providers.connection(
                to: record.flow.issuer, boundTo: record.keyID)
            let redemption = CodeRedemption(
                code: try sealer.open(sealedCode, purpose: purpose),
                verifier: try CodeVerifier(try sealer.open(record.sealedVerifier, purpose: purpose).unmasked),
                redirectURI: record.redirectURI, nonce: try Nonce(record.flow.nonce),
                expectedSubject: record.flow.subject, requestedScope: record.scope, flow: id.text)
            await surroundings.boundary(.clientAnswerTaken)
            let repeating = Repetition(in: surroundings.environment, until: record.flow.deadline)
            let redeemed = try await tokens(of: record, redemption, at: provider, repeating: repeating)
            let tokens = redeemed.tokens
            await surroundings.boundary(.clientCodeRedeemed)
            let account = try await redemption.account(of: redeemed, at: provider, repeating: repeating)
            let store = accounts.store
            let stored = try await surroundings.store.write(.full) { transaction in
                guard var current = try FlowRecord.table.find(id.text, in: transaction) else {
                    return (FlowRecord, [ClientFlow.Action])?.none
                }
                let actions = try current.flow.receive(.redeemed(subject: account.subject))
                guard !actions.isEmpty else { return nil }
                current.clean()
                try current.put(in: transaction)
                try store.logIn(
                    account, tokens: tokens, identityProvider: current.flow.peer.text, in: transaction)
                return (current, actions)
            }
            guard let (finished, actions) = stored else {
                // A flow that ended meanwhile (cancelled, timed out) leaves no account behind, and no tokens.
                try? await provider.revoke(tokens.refreshToken ?? tokens.accessToken, flow: id.text)
                return
            }
            await surroundings.boundary(.clientAccountStored)
            try await perform(actions, of: finished)
            await accounts.changed()
            await open(finished.flow.startURL)
        } catch is CancellationError {
            // This process ends; the next one takes the code up where it is.
            throw CancellationError()
        } catch {
            let fault = providerFault(error) as? Fault ?? Fault(.internalFault, detail: "\(type(of: error))")
            try await advance(id, .failed(fault))
        }
    }

    /// What the code became: stored before its first use, because the provider gives the same answer again only until
    /// then.
    private func tokens(
        of record: FlowRecord, _ redemption: CodeRedemption, at provider: ProviderConnection, repeating: Repetition
    ) async throws -> RedeemedCode {
        let id = record.flow.id
        let purpose = FlowRecord.purpose(id)
        if let sealed = record.sealedTokens {
            let text = try sealer.open(sealed, purpose: purpose).unmasked
            return try JSONDecoder().decode(RedeemedCode.self, from: Data(text.utf8))
        }
        let redeemed = try await redemption.exchange(at: provider, repeating: repeating)
        let text = String(decoding: try JSONEncoder().encode(redeemed), as: UTF8.self)
        let sealed = try sealer.seal(Secret(text), purpose: purpose)
        try await surroundings.store.write(.full) { transaction in
            guard var current = try FlowRecord.table.find(id.text, in: transaction), current.flow.outcome == nil else {
                return
            }
            current.sealedTokens = sealed
            try current.put(in: transaction)
        }
        return redeemed
    }

    /// Opens the start address of an invitation, once its account is current.
    func open(_ address: String?) async {
        guard let address else { return }
        do {
            try await surroundings.opener.open(address)
        } catch {
            announce(ManualOpening(address: address, answerComesByHand: false, patience: .zero))
        }
    }
}

extension HandoffClient {
    /// Journals how a flow ended, in words and as one word for programs, and with whom it was.
    fileprivate func journal(_ outcome: ClientFlow.Outcome, of flow: ClientFlow) {
        let (message, word, code): (String, String, String?) =
            switch outcome {
            case .loggedIn: ("logged in and made current", "logged in", nil)
            case .switched: ("switched to an account that was known", "switched", nil)
            case .refused(let reason): ("ended: refused by the other app", "refused, \(reason.rawValue)", nil)
            case .failed(let code, _): ("ended: failed", "failed, \(code)", code)
            case .cancelledByUser: ("ended: cancelled here", "cancelled", nil)
            case .cancelledByPeer: ("ended: cancelled by the other app", "cancelled", nil)
            case .timedOut: ("ended: timed out", "timed out", nil)
            case .superseded: ("ended: a newer login took its place", "superseded", nil)
            }
        var entry = JournalEntry(
            .decided, flow: flow.id.text, message,
            fields: ["outcome": .string(word), "peer": .string(flow.peer.text)])
        entry.code = code
        surroundings.journal.record(entry)
    }
}
