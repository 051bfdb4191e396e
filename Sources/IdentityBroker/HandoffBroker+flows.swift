import Basics
import Handoff
import IdentityClient
import OpenIDConnect
import Platform

/// The life of a flow: one commit for each transition, then its effects.
extension HandoffBroker {
    /// Takes a request: the replay mark and the flow's beginning are one commit.
    func accept(_ request: SPLoginRequest, _ incoming: IncomingCommand) async throws {
        let command = incoming.command
        let now = surroundings.environment.now()
        let client = try client(command.sender)
        let ledger = ledger
        let sealer = sealer
        let deadline: Timestamp
        do {
            deadline = try RequestCheck.verify(request.request, of: client, issuer: issuer, now: now).expires
        } catch {
            // The sender is known, and its signature held: it is told, in the words of the closed list.
            await endpoint.refused(error.fault, sender: incoming.sender, incoming: incoming)
            try await mark(incoming)
            try? await endpoint.send(
                .error(AuthError(error.reason)), to: client.peer, flow: command.flow, inReplyTo: command.id)
            throw error.fault
        }
        let isFull: Bool
        do {
            isFull = try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                let sealed = try sealer.seal(Secret(request.request), purpose: BrokerFlowRecord.purpose(command.flow))
                if var record = try BrokerFlowRecord.table.find(command.flow.text, in: transaction) {
                    _ = try record.flow.receive(.command(command))
                    record.sealedRequest = sealed
                    record.hint = request.userHint
                    record.appName = request.appName
                    record.sealedCommand = nil
                    record.transport = incoming.transport
                    try record.put(in: transaction)
                    return false
                }
                guard command.inReplyTo == nil else { throw Fault(.commandUncorrelated) }
                let pending = try BrokerFlowRecord.table.list(family: "pending", in: transaction).filter {
                    $0.value.flow.deadline > now
                }
                let ofPeer = pending.count { $0.value.flow.peer == command.sender }
                guard pending.count < Self.flowsInAll, ofPeer < Self.flowsPerPeer else { return true }
                try BrokerFlowRecord(
                    flow: BrokerFlow(asked: command, deadline: deadline), sealedRequest: sealed,
                    hint: request.userHint, appName: request.appName, transport: incoming.transport
                ).put(in: transaction)
                return false
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
        if isFull {
            try await endpoint.send(
                .error(AuthError(.temporarilyUnavailable)), to: client.peer, flow: command.flow,
                inReplyTo: command.id)
            throw Fault(.tooManyFlows)
        }
        await surroundings.boundary(.brokerRequestTaken)
        decide(command.flow)
    }

    /// Marks a refused command as taken, so that it is refused once.
    private func mark(_ incoming: IncomingCommand) async throws {
        let ledger = ledger
        let now = surroundings.environment.now()
        _ = try await surroundings.store.write(.full) { try ledger.admit(incoming.command, now: now, in: $0) }
    }

    /// Takes what a client says about a flow of ours.
    func report(_ incoming: IncomingCommand) async throws {
        let command = incoming.command
        let ledger = ledger
        let now = surroundings.environment.now()
        let record: BrokerFlowRecord
        let actions: [BrokerFlow.Action]
        do {
            (record, actions) = try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                guard var record = try BrokerFlowRecord.table.find(command.flow.text, in: transaction) else {
                    throw Fault(.commandUncorrelated, detail: "no such flow")
                }
                let actions = try record.flow.receive(.command(command))
                record.clean()
                try record.put(in: transaction)
                return (record, actions)
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
        await surroundings.boundary(.brokerReportTaken)
        await perform(actions, of: record)
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
                journal(.decided, record.flow.id, "ended: \(outcome.word)")
                waiters[record.flow.id]?.fulfil(outcome)
            }
        }
    }

    /// Tells the client; that it cannot be reached changes nothing here.
    func tell(_ flow: BrokerFlow, _ command: Command, inReplyTo reply: CommandID?, id: CommandID?) async {
        do {
            try await endpoint.send(
                command, to: try client(flow.peer).peer, flow: flow.id, inReplyTo: reply, id: id)
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
        for record in try pendingFlows() {
            let flow = record.flow
            switch flow.phase {
            case .deciding: decide(flow.id)
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
            try transaction.purge(BrokerFlowRecord.table.kind, expiredBefore: now)
            try ledger.purge(now: now, in: transaction)
        }
    }

    private func pendingFlows() throws -> [BrokerFlowRecord] {
        try surroundings.store.read { try BrokerFlowRecord.table.list(family: "pending", in: $0).map(\.value) }
    }

    /// Sends the stored command of a flow.
    func sendPrepared(_ text: String) async {
        do {
            let id = try FlowID(text)
            guard
                let record = try surroundings.store.read({ try BrokerFlowRecord.table.find(id.text, in: $0) }),
                record.flow.outcome == nil, let sealed = record.sealedCommand
            else { return }
            do {
                try await deliver(sealed, of: record.flow)
            } catch {
                let code = (error as? any CodedError)?.code
                journal(.note, id, "a prepared command could not be sent", code: code)
                try await advance(id, .refused(code == .peerNotRunning ? .temporarilyUnavailable : .serverError))
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

    func deliver(_ sealed: String, of flow: BrokerFlow) async throws {
        let url = try sealer.open(sealed, purpose: BrokerFlowRecord.purpose(flow.id)).unmasked
        try await endpoint.deliverStored(url, flow: flow.id, to: try client(flow.peer).peer)
    }
}

extension BrokerFlow.Outcome {
    /// The outcome in a word, for the log.
    var word: String {
        switch self {
        case .acknowledged(let outcome): outcome.rawValue
        case .refusedByClient(let reason): "refused by the client, \(reason.rawValue)"
        case .refused(let reason): "refused, \(reason.rawValue)"
        case .cancelledByUser: "cancelled here"
        case .cancelledByPeer: "cancelled by the client"
        case .timedOut: "timed out"
        }
    }
}
