import Basics
package import Handoff
import IdentityClient
import OpenIDConnect
import Platform

/// The life of a flow: one commit for each transition, then its effects.
extension HandoffBroker {
    /// What comes of a request that was taken.
    private enum Request {
        /// To be decided.
        case begun
        /// Its request object breaks a rule; the flow that it belonged to, if there was one, has ended with it.
        case refused(Refusal, BrokerFlowRecord?, [BrokerFlow.Action])
        case full
        case late(Fault)
    }

    /// Takes a request: the replay mark and the flow's beginning are one commit.
    func accept(_ request: SPLoginRequest, _ incoming: IncomingCommand) async throws {
        let command = incoming.command
        let client = try client(command.sender)
        try await endIfOverdue(command)
        let taken: Request
        do {
            taken = try await take(request, incoming, client)
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        switch taken {
        case .begun, .full: endpoint.taken(incoming)
        case .refused(let refusal, _, _):
            await endpoint.refused(refusal.fault, sender: incoming.sender, incoming: incoming)
        case .late(let fault): await endpoint.refused(fault, sender: incoming.sender, incoming: incoming)
        }
        // The sender is known, and its signature held: it is told, in the words of the closed list.
        switch taken {
        case .begun:
            await surroundings.boundary(.brokerRequestTaken)
            decide(command.flow)
        case .full:
            try await endpoint.send(
                .error(AuthError(.temporarilyUnavailable)), to: client.peer, flow: command.flow, inReplyTo: command.id)
            throw Fault(.tooManyFlows)
        case .refused(let refusal, let record?, let actions):
            await perform(actions, of: record)
            throw refusal.fault
        case .refused(let refusal, nil, _):
            try? await endpoint.send(
                .error(AuthError(refusal.reason)), to: client.peer, flow: command.flow, inReplyTo: command.id)
            throw refusal.fault
        case .late(let fault): throw fault
        }
    }

    private func take(
        _ request: SPLoginRequest, _ incoming: IncomingCommand, _ client: RegisteredClientApp
    ) async throws -> Request {
        let command = incoming.command
        let now = surroundings.environment.now()
        let ledger = ledger
        let sealed = try sealer.seal(Secret(request.request), purpose: BrokerFlowRecord.purpose(command.flow))
        let checked: Result<Timestamp, Refusal>
        do throws(Refusal) {
            try RequestCheck.verify(loginHost: request.loginHost, of: client, issuer: issuer)
            checked = .success(
                try RequestCheck.verify(request.request, of: client, issuer: issuer, now: now).expires)
        } catch {
            checked = .failure(error)
        }
        return try await surroundings.store.write(.full) { transaction in
            try ledger.admit(command, now: now, in: transaction)
            if var record = try BrokerFlowRecord.table.find(command.flow.text, in: transaction) {
                do throws(Fault) {
                    _ = try record.flow.receive(.command(command))
                } catch {
                    if error.code == .commandLate { return .late(error) }
                    throw error
                }
                if case .failure(let refusal) = checked {
                    let actions = try record.flow.receive(.refused(refusal.reason))
                    record.clean()
                    try record.put(in: transaction)
                    return .refused(refusal, record, actions)
                }
                record.sealedRequest = sealed
                record.hint = request.userHint
                record.appName = request.appName
                record.sealedCommand = nil
                record.transport = incoming.transport
                record.keyID = command.keyID
                try record.put(in: transaction)
                return .begun
            }
            try FlowContract.admit(command, at: .identityProvider, in: .none)
            let deadline: Timestamp
            switch checked {
            case .success(let expires): deadline = expires
            case .failure(let refusal): return .refused(refusal, nil, [])
            }
            let pending = try BrokerFlowRecord.table.list(family: "pending", in: transaction).filter {
                $0.value.flow.deadline > now
            }
            let ofPeer = pending.count { $0.value.flow.peer == command.sender }
            guard pending.count < Self.flowsInAll, ofPeer < Self.flowsPerPeer else { return .full }
            try BrokerFlowRecord(
                flow: BrokerFlow(asked: command, deadline: deadline), sealedRequest: sealed,
                hint: request.userHint, appName: request.appName, transport: incoming.transport, keyID: command.keyID
            ).put(in: transaction)
            return .begun
        }
    }

    /// Takes what a client says about a flow of ours.
    func report(_ incoming: IncomingCommand) async throws {
        let command = incoming.command
        try await endIfOverdue(command)
        let ledger = ledger
        let now = surroundings.environment.now()
        let taken: Result<(BrokerFlowRecord, [BrokerFlow.Action]), Fault>
        do {
            taken = try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                guard var record = try BrokerFlowRecord.table.find(command.flow.text, in: transaction) else {
                    try FlowContract.admit(command, at: .identityProvider, in: .none)
                    throw Fault(.flowUnknown)
                }
                let actions: [BrokerFlow.Action]
                do throws(Fault) {
                    actions = try record.flow.receive(.command(command))
                } catch {
                    // A late command is taken, once, and changes nothing.
                    if error.code == .commandLate { return .failure(error) }
                    throw error
                }
                record.clean()
                try record.put(in: transaction)
                return .success((record, actions))
            }
            _ = try taken.get()
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        let (record, actions) = try taken.get()
        endpoint.taken(incoming)
        await surroundings.boundary(.brokerReportTaken)
        await perform(actions, of: record)
    }

    /// Ends a flow of the sender's that is past its deadline, before anything more is heard of it.
    private func endIfOverdue(_ command: VerifiedCommand) async throws {
        let flow = try surroundings.store.read { try BrokerFlowRecord.table.find(command.flow.text, in: $0)?.flow }
        guard let flow, flow.peer == command.sender, flow.deadline <= surroundings.environment.now() else { return }
        try await advance(flow.id, .deadlinePassed)
    }

    /// Where a flow of this app stands, in the words of the contract.
    package func stage(of flow: FlowID) throws -> FlowStage {
        try surroundings.store.read { try BrokerFlowRecord.table.find(flow.text, in: $0)?.flow.stage } ?? .none
    }

    /// Applies an event that is no command, in one commit, and then does what follows from it.
    func advance(_ id: FlowID, _ event: BrokerFlow.Event) async throws {
        let (record, actions) = try await surroundings.store.write(.full) { transaction in
            guard var record = try BrokerFlowRecord.table.find(id.text, in: transaction) else {
                return (BrokerFlowRecord?.none, [BrokerFlow.Action]())
            }
            let actions = try record.flow.receive(event)
            record.clean()
            try record.put(in: transaction)
            return (record, actions)
        }
        if let record { await perform(actions, of: record) }
    }

    private func perform(_ actions: [BrokerFlow.Action], of record: BrokerFlowRecord) async {
        for action in actions {
            switch action {
            case .decide: break  // Begun by `accept`, which has the request in hand.
            case .stopDeciding: decisions[record.flow.id]?.cancel()
            case .send(let command, let reply, let id):
                await tell(record.flow, command, inReplyTo: reply, id: id)
            case .resolve(let outcome):
                surroundings.journal.record(
                    JournalEntry(
                        .decided, flow: record.flow.id.text, "ended: \(outcome.word)",
                        fields: ["outcome": .string(outcome.word)]))
                waiters[record.flow.id]?.fulfil(outcome)
            }
        }
    }

    /// Tells the client, by the process that owns this app's name; that it cannot be reached changes nothing here.
    func tell(_ flow: BrokerFlow, _ command: Command, inReplyTo reply: CommandID?, id: CommandID?) async {
        do {
            let peer = try client(flow.peer).peer
            let sealed = try await endpoint.seal(command, to: peer, flow: flow.id, inReplyTo: reply, id: id)
            if await endpoint.isRegistered { return try await endpoint.deliver(sealed, to: peer) }
            // Nobody is started for a last word.
            guard try await surroundings.bus.owner(of: surroundings.manifest.id) != nil else { return }
            let stored = try sealer.seal(Secret(sealed.url), purpose: BrokerFlowRecord.purpose(flow.id))
            try await surroundings.store.write(.full) { transaction in
                guard var record = try BrokerFlowRecord.table.find(flow.id.text, in: transaction) else { return }
                record.sealedCommand = stored
                try record.put(in: transaction)
            }
            try await surroundings.bus.activate(
                "send-invitation", parameter: flow.id.text, at: surroundings.manifest.id)
        } catch {
            journal(
                .note, flow.id, "\(command.name.rawValue) could not be delivered",
                code: (error as? any CodedError)?.code)
        }
    }

    // MARK: - After a restart

    /// Takes up the flows that an earlier process left: those past their deadline end, an answer that was stored and
    /// perhaps not sent is sent, and a request that was being decided is decided again.
    func resumeFlows() async throws {
        try await endOverdueFlows()
        try await endFlowsOfRevokedKeys()
        for record in try pendingFlows() {
            let flow = record.flow
            switch flow.phase {
            case .deciding: decide(flow.id, isResumed: true)
            case .answered:
                guard let sealed = record.sealedCommand else { continue }
                surroundings.environment.spawn("resume") { [self] in
                    try await deliverPatiently(flow) { [self] in try await deliver(sealed, of: flow) }
                }
            case .invited, .finished: break
            }
        }
    }

    /// Ends the flows past their deadline, and forgets what is of no use any more; to be called now and then.
    package func endOverdueFlows() async throws {
        let now = surroundings.environment.now()
        for record in try pendingFlows() where record.flow.deadline <= now {
            try await advance(record.flow.id, .deadlinePassed)
        }
        let ledger = ledger
        _ = try await surroundings.store.write(.normal) { transaction in
            for kind in [BrokerFlowRecord.table.kind, LogoutRecord.table.kind, LogoutNotice.table.kind] {
                try transaction.purge(kind, expiredBefore: now)
            }
            try ledger.purge(now: now, in: transaction)
        }
    }

    /// Whether a request is being decided, or an answer under way, that has time left.
    package func hasFlowsUnderWay() throws -> Bool {
        let now = surroundings.environment.now()
        return try pendingFlows().contains { record in
            switch record.flow.phase {
            case .deciding, .answered: record.flow.deadline > now
            default: false
            }
        }
    }

    func pendingFlows() throws -> [BrokerFlowRecord] {
        try surroundings.store.read { try BrokerFlowRecord.table.list(family: "pending", in: $0).map(\.value) }
    }

    /// Sends the stored command of a flow: an invitation, or the last word of a process that does not own the name.
    func sendPrepared(_ text: String) async {
        do {
            let id = try FlowID(text)
            guard
                let record = try surroundings.store.read({ try BrokerFlowRecord.table.find(id.text, in: $0) }),
                let sealed = record.sealedCommand
            else { return }
            guard record.flow.outcome == nil else { return try await deliver(sealed, of: record.flow, startsIt: false) }
            do {
                try await deliver(sealed, of: record.flow)
            } catch let error where error is CancellationError || ErrorCode.busUnavailable ~= error {
                // This process leaves, and ends nothing by that which another has begun.
            } catch {
                let code = (error as? any CodedError)?.code
                journal(.note, id, "a prepared command could not be sent", code: code)
                let isAbsent = code == .peerNotRunning || code == .peerNotStarted
                try await advance(id, isAbsent ? .undeliverable : .refused(.serverError))
            }
        } catch {
            journal(.note, nil, "a prepared command could not be read", code: (error as? any CodedError)?.code)
        }
    }

    /// Delivers an answer: a client that is not there just now gets it when it is back, as long as it is of use.
    func deliverPatiently(_ flow: BrokerFlow, _ attempt: @Sendable () async throws -> Void) async throws {
        let environment = surroundings.environment
        let end = min(flow.deadline, environment.now() + Envelope.maximumLifetime)
        while true {
            do {
                return try await attempt()
            } catch let fault as Fault where [.peerNotRunning, .deadlinePassed].contains(fault.code) {
                journal(.note, flow.id, "the client is not there; its answer waits", code: fault.code)
                guard environment.now() < end else { throw fault }
            }
            try await environment.sleep(for: .seconds(1))
            let now = try surroundings.store.read { try BrokerFlowRecord.table.find(flow.id.text, in: $0) }
            guard let now, now.flow.outcome == nil else { return }
        }
    }

    func deliver(_ sealed: String, of flow: BrokerFlow, startsIt: Bool = true) async throws {
        // A logout that waits comes first, so that it does not end what is begun here.
        await tellWaiting(flow.peer)
        let url = try sealer.open(sealed, purpose: BrokerFlowRecord.purpose(flow.id)).unmasked
        try await endpoint.deliverStored(
            url, flow: flow.id, id: flow.outgoing, to: try client(flow.peer).peer, startsIt: startsIt)
    }
}

extension BrokerFlow {
    /// The id of the personal command that this side has sent, or is about to.
    fileprivate var outgoing: CommandID? {
        switch phase {
        case .answered(let id), .invited(let id): id
        case .deciding, .finished: nil
        }
    }
}

extension BrokerFlow.Outcome {
    /// The outcome in a word, for the log.
    var word: String {
        switch self {
        case .acknowledged(let outcome): outcome.rawValue
        case .refusedByClient(let reason): "refused by the client, \(reason.rawValue)"
        case .refused(let reason): "refused, \(reason.rawValue)"
        case .undeliverable: "the client is not there"
        case .cancelledByUser: "cancelled here"
        case .cancelledByPeer: "cancelled by the client"
        case .timedOut: "timed out"
        }
    }
}
