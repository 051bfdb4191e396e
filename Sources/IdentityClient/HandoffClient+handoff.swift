import Basics
import FoundationEssentials
import Handoff
import JOSE
import OpenIDConnect
import Platform

/// The hand-off as the client begins it, and ends it for its caller: stored, sent, waited for.
extension HandoffClient {
    static let flowsPerPeer = 16

    /// Runs one hand-off to its end and returns the account.
    ///
    /// The flow is stored before its request leaves, so that either process may die at any point.
    ///
    /// - Parameters:
    ///   - loginHost: the host that the person chose; the other app compares it with what is registered.
    ///   - invitation: the command that this answers, whose flow is there already.
    ///   - supersedes: whether the logins that still wait at this peer end, as superseded.
    func handOff(
        to entry: IdentityProviderEntry, flow id: FlowID, origin: ClientFlow.Origin, hint: UserHint?,
        loginHost: String? = nil, deadline: Timestamp, inReplyTo invitation: CommandID? = nil,
        startURL: String? = nil, supersedes: Bool = false
    ) async throws -> UserAccount {
        let promise = Promise<ClientFlow.Outcome>()
        waiters[id] = promise
        defer { waiters[id] = nil }
        do {
            let record = try await prepare(
                entry, id, origin, hint: hint, loginHost: loginHost, deadline: deadline, invitation: invitation,
                startURL: startURL)
            if invitation != nil {
                let ended = try await surroundings.store.write(.full) { try record.replaceInvitation(in: $0) }
                if let ended { return try account(of: ended, issuer: entry.issuer.text) }
            } else {
                try await begin(record, entry, supersedes: supersedes)
            }
            await surroundings.boundary(.clientFlowStored)
            try await sendRequest(of: record, to: entry)
            let outcome = try await surroundings.environment.withDeadline(
                remaining(until: deadline), orThrow: Fault(.deadlinePassed)
            ) { [self] in
                try await end(of: id, promise)
            }
            // Both sides keep one deadline: a cancel that comes with it says that nobody answered.
            if outcome == .cancelledByPeer, remaining(until: deadline) < .milliseconds(250) {
                throw Fault(.deadlinePassed)
            }
            return try account(of: outcome, issuer: entry.issuer.text)
        } catch {
            await giveUp(id, because: error)
            throw error
        }
    }

    /// Stores a new flow, and ends those whose place it takes in the same commit.
    private func begin(_ record: FlowRecord, _ entry: IdentityProviderEntry, supersedes: Bool) async throws {
        let isSingleFlow = entry.isSingleFlow
        let now = surroundings.environment.now()
        let superseded = try await surroundings.store.write(.full) { transaction in
            let older = supersedes ? try Self.supersede(at: record.flow.peer, in: transaction) : []
            try Self.admit(record, isSingleFlow: isSingleFlow, now: now, in: transaction)
            return older
        }
        for (older, actions) in superseded { try await perform(actions, of: older) }
    }

    /// Ends every flow that is under way with a peer.
    private static func supersede(
        at peer: AppID, in transaction: borrowing Transaction
    ) throws -> [(FlowRecord, [ClientFlow.Action])] {
        var ended: [(FlowRecord, [ClientFlow.Action])] = []
        for var record in try FlowRecord.table.list(family: "pending", in: transaction).map(\.value)
        where record.flow.peer == peer {
            let actions = try record.flow.receive(.superseded)
            record.clean()
            try record.put(in: transaction)
            ended.append((record, actions))
        }
        return ended
    }

    private func prepare(
        _ entry: IdentityProviderEntry, _ id: FlowID, _ origin: ClientFlow.Origin, hint: UserHint?,
        loginHost: String?, deadline: Timestamp, invitation: CommandID?, startURL: String?
    ) async throws -> FlowRecord {
        let environment = surroundings.environment
        let manifest = surroundings.manifest
        guard let redirect = manifest.redirectURIs.first else { throw Fault(.noIdentityProvider) }
        let verifier = CodeVerifier(randomBytes: environment.randomBytes(32))
        let state = Base64URL.encode(environment.randomBytes(16))
        let nonce = Base64URL.encode(environment.randomBytes(16))
        let redirectURI = try RedirectURI(redirect)
        let scope = try ScopeSet(manifest.scopes)
        let now = environment.now()
        let key = try await keyring.current().oauth
        let request = RequestObject(
            request: AuthorizationRequest(
                clientID: entry.clientID, redirectURI: redirectURI, scope: scope, state: try State(state),
                nonce: try Nonce(nonce), codeChallenge: verifier.challenge, dpopThumbprint: key.thumbprint),
            audience: entry.issuer, id: Base64URL.encode(environment.randomBytes(16)), issuedAt: now,
            expires: Self.expiry(of: deadline, from: now))
        let command = SPLoginRequest(
            request: try request.signed(by: key), userHint: hint, appName: manifest.displayName,
            loginHost: loginHost)
        let sealed = try await endpoint.seal(.authrequest(command), to: entry.peer, flow: id, inReplyTo: invitation)
        var subject: String?
        if case .account(let issuer, let hinted) = hint, issuer == entry.issuer.text { subject = hinted }
        return FlowRecord(
            flow: ClientFlow(
                asking: entry.peer.id, id: id, origin: origin, issuer: entry.issuer.text,
                clientID: entry.clientID.text, state: state, nonce: nonce, request: sealed.envelope.id,
                deadline: deadline, subject: subject, startURL: startURL),
            sealedVerifier: try sealer.seal(verifier.text, purpose: FlowRecord.purpose(id)), redirectURI: redirectURI,
            scope: scope, keyID: key.keyID,
            sealedCommand: try sealer.seal(Secret(sealed.url), purpose: FlowRecord.purpose(id)))
    }

    /// The deadline as the request object tells it, in whole seconds: not before ours, so that it is this side that
    /// says that nobody answered; and not beyond the longest life of a request.
    private static func expiry(of deadline: Timestamp, from now: Timestamp) -> Timestamp {
        let floor = Timestamp(seconds: deadline.seconds)
        let ceiling = floor == deadline ? floor : floor + .seconds(1)
        return min(ceiling, Timestamp(seconds: now.seconds) + LoginOptions.longest)
    }

    /// Stores a new flow within the limits.
    static func admit(
        _ record: FlowRecord, isSingleFlow: Bool, now: Timestamp, in transaction: borrowing Transaction
    ) throws {
        let pending = try FlowRecord.table.list(family: "pending", in: transaction).filter {
            $0.value.flow.peer == record.flow.peer && $0.value.flow.deadline > now
        }
        if isSingleFlow, !pending.isEmpty { throw Fault(.alreadyInProgress) }
        guard pending.count < flowsPerPeer else { throw Fault(.tooManyFlows) }
        try record.put(in: transaction)
    }

    /// Sends the request, or asks the process that owns this app's name to send it.
    private func sendRequest(of record: FlowRecord, to entry: IdentityProviderEntry) async throws {
        if await endpoint.isRegistered { return try await deliverRequest(of: record, to: entry) }
        do {
            try await surroundings.bus.activate(
                "send-login", parameter: record.flow.id.text, at: surroundings.manifest.id)
        } catch ErrorCode.peerNotRunning {
            // It has left since; whoever waits takes its place.
        }
    }

    /// Sends what another process of this app has prepared: a login, or the last word of one.
    func sendPrepared(_ text: String) async {
        do {
            let id = try FlowID(text)
            guard let record = try surroundings.store.read({ try FlowRecord.table.find(id.text, in: $0) }) else {
                return
            }
            if let outcome = record.flow.outcome {
                // Ended by that other process, perhaps under somebody who waits in this one: told last, because this
                // process may end with it.
                defer { waiters[id]?.fulfil(outcome) }
                return try await sendLastWord(of: record)
            }
            do {
                try await deliverRequest(of: record, to: try identityProvider(record.flow.peer.text))
            } catch let error where error is CancellationError || ErrorCode.busUnavailable ~= error {
                // This process leaves, and ends nobody else's login by that: whoever waits takes its place.
            } catch {
                let fault = error as? Fault ?? Fault(.internalFault, detail: "\(type(of: error))")
                try await advance(id, .failed(fault))
            }
        } catch {
            journal(.note, nil, "a prepared login could not be sent", code: (error as? any CodedError)?.code)
        }
    }

    /// Sends the last word of a flow that has ended, and forgets it then.
    func sendLastWord(of record: FlowRecord) async throws {
        guard let sealed = record.sealedCommand else { return }
        let url = try sealer.open(sealed, purpose: FlowRecord.purpose(record.flow.id)).unmasked
        try await endpoint.deliverStored(
            url, flow: record.flow.id, to: try identityProvider(record.flow.peer.text).peer, startsIt: false)
        var told = record
        told.sealedCommand = nil
        let sent = told
        _ = try await surroundings.store.write(.full) { try sent.put(in: $0) }
    }

    private func deliverRequest(of record: FlowRecord, to entry: IdentityProviderEntry) async throws {
        guard let sealed = record.sealedCommand else { return }
        let url = try sealer.open(sealed, purpose: FlowRecord.purpose(record.flow.id)).unmasked
        // An app that has to be started first gets the time that the login has, and no more than a request lives.
        let patience = min(max(remaining(until: record.flow.deadline), .seconds(1)), .seconds(30))
        let name = try await endpoint.deliverStored(
            url, flow: record.flow.id, id: record.flow.request, to: entry.peer, within: patience)
        if let name {
            watch(name, of: entry.peer, for: record.flow.id)
        } else {
            announce(
                ManualOpening(
                    address: nil, answerComesByHand: true, patience: remaining(until: record.flow.deadline)))
        }
        await surroundings.boundary(.clientRequestSent)
    }

    /// Ends a flow when the connection that has its request leaves the bus without an answer: nobody else can give one.
    private func watch(_ uniqueName: String, of peer: Peer, for flow: FlowID) {
        let isWatched = sentTo[uniqueName] != nil
        sentTo[uniqueName, default: []].insert(flow)
        if isWatched { return }
        surroundings.environment.spawn("watch peer") { [self] in
            try await surroundings.bus.departure(of: uniqueName)
            // What it sent before it left is still being taken.
            try await surroundings.environment.sleep(for: .milliseconds(200))
            for flow in await flowsLeft(by: uniqueName) { try await advance(flow, .peerLeft(peer.displayName)) }
        }
    }

    private func flowsLeft(by uniqueName: String) -> [FlowID] {
        (sentTo.removeValue(forKey: uniqueName) ?? []).sorted { $0.text < $1.text }
    }

    /// Waits until the flow has ended, in this process or in the one that owns this app's name. When that one has left,
    /// this one takes its place.
    private func end(
        of id: FlowID, _ promise: Promise<ClientFlow.Outcome>
    ) async throws -> ClientFlow.Outcome {
        if await endpoint.isRegistered { return try await promise.value() }
        for turn in 0... {
            let record = try surroundings.store.read { try FlowRecord.table.find(id.text, in: $0) }
            guard let record else { throw Fault(.deadlinePassed) }
            if let outcome = record.flow.outcome { return outcome }
            if turn.isMultiple(of: 10), try await takeOver(record) { break }
            try await surroundings.environment.sleep(for: .milliseconds(20))
        }
        return try await promise.value()
    }

    /// Becomes the process that owns this app's name, where nobody does, and sends the request: it is not known whether
    /// that had left, and a second copy is a replay to its receiver.
    ///
    /// - Returns: whether it did.
    private func takeOver(_ record: FlowRecord) async throws -> Bool {
        guard try await takeNameOver(for: record.flow.id) else { return false }
        let stored = try surroundings.store.read { try FlowRecord.table.find(record.flow.id.text, in: $0) }
        if let outcome = stored?.flow.outcome { waiters[record.flow.id]?.fulfil(outcome) }
        if let stored, stored.flow.stage == .waiting {
            try await deliverRequest(of: stored, to: try identityProvider(stored.flow.peer.text))
        }
        return true
    }

    /// Becomes the process that owns this app's name, where nobody does; says whether it did.
    func takeNameOver(for flow: FlowID) async throws -> Bool {
        guard try await surroundings.bus.owner(of: surroundings.manifest.id) == nil else { return false }
        do {
            try await start()
        } catch ErrorCode.busNameTaken {
            return false
        }
        journal(.note, flow, "this process has taken the app's name over")
        return true
    }

    func account(of outcome: ClientFlow.Outcome, issuer: String) throws -> UserAccount {
        switch outcome {
        case .loggedIn(let subject), .switched(let subject):
            let account = try surroundings.store.read { snapshot in
                try accounts.store.find("\(issuer) \(subject)", in: snapshot)
            }
            guard let account else { throw Fault(.unknownAccount) }
            return account
        case .refused(let reason): throw refusal(reason, pinned: issuer)
        case .failed(let code, let text): throw Fault(stored: code, text: text)
        case .cancelledByUser: throw Cancellation(by: .user)
        case .cancelledByPeer: throw Cancellation(by: .peer)
        case .timedOut: throw Fault(.deadlinePassed)
        case .superseded: throw Fault(.loginSuperseded)
        }
    }

    /// The error for a refusal. Where the request was refused and the pin is not the home's issuer, that is the reason,
    /// which a refusal on the wire may not name.
    private func refusal(_ reason: AuthError.Reason, pinned issuer: String) -> Fault {
        let fault = Fault(refusal: reason)
        guard fault.code == .peerRefused, let home = surroundings.homeIssuer, !sameBytes(home, issuer) else {
            return fault
        }
        return Fault(
            .answerIssuerMismatch,
            "\(fault.text) It speaks for \(home), and \(issuer) is pinned for it; they first differ at "
                + "\(firstDifference(home, issuer)).")
    }

    /// Ends a flow whose caller no longer waits.
    func giveUp(_ id: FlowID, because error: any Error) async {
        let fault = error as? Fault ?? Fault(.internalFault, detail: "\(type(of: error))")
        let isInvited = (try? stage(of: id)) == .invited
        let event: ClientFlow.Event =
            switch error {
            case is CancellationError, is Cancellation: .cancelledByUser
            case ErrorCode.deadlinePassed: .deadlinePassed
            default: isInvited ? .declined(Self.reason(of: fault), fault) : .failed(fault)
            }
        // In a task of its own: the caller may be cancelled already, and the peer is told all the same.
        let work = surroundings.environment.spawn("give up") { [self] in try await advance(id, event) }
        _ = await work.result
    }

    /// The word of the closed list for an invitation that is not taken.
    private static func reason(of fault: Fault) -> AuthError.Reason {
        switch fault.code {
        case .interactionRequired: .interactionRequired
        case .loginRequired: .loginRequired
        case .loginInterrupted: .temporarilyUnavailable
        default: .accessDenied
        }
    }
}
