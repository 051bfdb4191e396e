package import Basics
package import Handoff
package import IdentityClient
import JOSE
import OpenIDConnect
import Platform

/// Hand-offs that this app begins: `idpinit`, and the keychain variant.
extension HandoffBroker {
    /// What a prepared invitation is.
    package struct Invitation: Sendable {
        /// The flow that it begins.
        package let flow: FlowID
        /// The URL command.
        package let url: String
        package let deadline: Timestamp
        /// Whom it invites.
        let client: Peer
    }

    /// Prepares an invitation and stores its flow; nothing has been sent.
    ///
    /// - Parameters:
    ///   - account: whom the client is to use.
    ///   - begun: the id of the flow, where the caller is to know it whatever happens.
    ///   - usesKeychain: whether the code goes along, with its verifier in the secret group.
    package func prepareInvitation(
        to id: AppID, account: UserAccount, flow begun: FlowID? = nil, startURL: String?, usesKeychain: Bool,
        timeout: Duration
    ) async throws -> Invitation {
        let client = try client(id)
        let environment = surroundings.environment
        let flow = try begun ?? newFlow()
        let deadline = environment.now() + min(timeout, LoginOptions.longest)
        let sealed: SealedCommand
        let machine: BrokerFlow
        if usesKeychain {
            let request = try await keychainRequest(
                client, account: account, flow: flow, startURL: startURL, deadline: deadline)
            sealed = try await endpoint.seal(.idpauthcodeinit(request), to: client.peer, flow: flow)
            machine = BrokerFlow(handing: id, id: flow, command: sealed.envelope.id, deadline: deadline)
        } else {
            let request = IDPLoginRequest(
                userHint: .account(issuer: account.issuer, subject: account.subject), startURL: startURL)
            sealed = try await endpoint.seal(.idpinit(request), to: client.peer, flow: flow)
            machine = BrokerFlow(inviting: id, id: flow, invitation: sealed.envelope.id, deadline: deadline)
        }
        let record = BrokerFlowRecord(
            flow: machine, transport: .direct,
            sealedCommand: try sealer.seal(Secret(sealed.url), purpose: BrokerFlowRecord.purpose(flow)),
            invitedSubject: account.subject)
        // A code that goes along is a login from now on; an invitation becomes one when the client asks.
        let handed = usesKeychain ? try handedLogin(of: account.subject, to: id) : nil
        try await surroundings.store.write(.full) { transaction in
            try record.put(in: transaction)
            try handed?.put(in: transaction)
        }
        await surroundings.boundary(.brokerInvitationStored)
        return Invitation(flow: flow, url: sealed.url, deadline: deadline, client: client.peer)
    }

    /// Sends an invitation and waits for what the client makes of it.
    ///
    /// - Returns: how the client ended it.
    /// - Throws: `peer-not-running`, `invitation-refused`, `client-failed`, `deadline-passed` or a `Cancellation`;
    ///   `http-unreachable` where the client asked for its code and the provider could not be asked for it.
    package func send(_ invitation: Invitation) async throws -> AuthAcknowledgement.Outcome {
        let promise = Promise<BrokerFlow.Outcome>()
        waiters[invitation.flow] = promise
        defer { waiters[invitation.flow] = nil }
        do {
            if await endpoint.isRegistered {
                let record = try surroundings.store.read {
                    try BrokerFlowRecord.table.find(invitation.flow.text, in: $0)
                }
                if let record, let sealed = record.sealedCommand { try await deliver(sealed, of: record.flow) }
            } else {
                try await surroundings.bus.activate(
                    "send-invitation", parameter: invitation.flow.text, at: surroundings.manifest.id)
            }
            let outcome = try await surroundings.environment.withDeadline(
                remaining(until: invitation.deadline), orThrow: Fault(.deadlinePassed)
            ) { [self] in
                try await end(of: invitation.flow, promise)
            }
            return try result(of: outcome, invitation.client)
        } catch ErrorCode.deadlinePassed {
            try await advance(invitation.flow, .deadlinePassed)
            throw Fault(.deadlinePassed)
        } catch is CancellationError {
            let work = surroundings.environment.spawn("cancel") { [self] in
                try await advance(invitation.flow, .cancelledByUser)
            }
            _ = await work.result
            throw Cancellation(by: .caller)
        } catch {
            try await advance(invitation.flow, .refused(.serverError))
            throw error
        }
    }

    /// Waits until the flow has ended, in this process or in the one that owns this app's name.
    private func end(
        of id: FlowID, _ promise: Promise<BrokerFlow.Outcome>
    ) async throws -> BrokerFlow.Outcome {
        if await endpoint.isRegistered { return try await promise.value() }
        while true {
            let record = try surroundings.store.read { try BrokerFlowRecord.table.find(id.text, in: $0) }
            guard let record else { throw Fault(.deadlinePassed) }
            if let outcome = record.flow.outcome { return outcome }
            try await surroundings.environment.sleep(for: .milliseconds(20))
        }
    }

    private func result(of outcome: BrokerFlow.Outcome, _ client: Peer) throws -> AuthAcknowledgement.Outcome {
        switch outcome {
        case .acknowledged(.failed): throw Fault(.clientFailed)
        case .acknowledged(let outcome): return outcome
        case .refusedByClient(let reason):
            throw Fault(.invitationRefused, "The client did not take the invitation: \(reason.rawValue).")
        // Said by the process of this app that tried to send it.
        case .undeliverable: throw Fault(absentPeer: client)
        case .refused(.temporarilyUnavailable):
            throw Fault(.httpUnreachable, "The provider \(issuer) cannot be reached, or has no time now.")
        case .refused(let reason): throw Fault(.peerRefused, "The hand-off was refused: \(reason.rawValue).")
        case .cancelledByUser: throw Cancellation(by: .user)
        case .cancelledByPeer: throw Cancellation(by: .peer)
        case .timedOut: throw Fault(.deadlinePassed)
        }
    }

    // MARK: - Keychain variant

    private func keychainRequest(
        _ client: RegisteredClientApp, account: UserAccount, flow: FlowID, startURL: String?, deadline: Timestamp
    ) async throws -> IDPAuthCodeLoginRequest {
        guard client.entry.allowsKeychain else { throw Fault(.keychainRefused) }
        let shared = client.entry.secretGroups
        guard
            let group = surroundings.manifest.groups.lazy.filter({ shared.contains($0) })
                .compactMap({ self.surroundings.groups[$0] }).first
        else { throw Fault(.noSuchGroup) }
        let environment = surroundings.environment
        let verifier = CodeVerifier(randomBytes: environment.randomBytes(32))
        let nonce = try Nonce(Base64URL.encode(environment.randomBytes(16)))
        // The slot first: a code whose verifier is not there yet would be of no use to anybody.
        let slot = KeychainSlot(verifier: verifier.text, nonce: nonce.text, username: account.username)
        try await group.put(
            SharedSecret(
                name: flow.text, owner: client.entry.id.text, expires: environment.now() + .seconds(60),
                value: try slot.sealed(to: client.peer.encryptionKey)))
        let machine = BrokerFlow(
            handing: client.entry.id, id: flow, command: endpoint.newID(), deadline: deadline)
        // Whoever invites the app allows this login, here and now; what is on record is neither asked nor added to.
        let code = try await code(
            for: account, to: client.entry.clientID, flow: machine, asker: nil, isAllowedNow: false, askAgain: {},
            obtain: { code, tokens in
                try await code.initiate(
                    for: client.entry, challenge: verifier.challenge, nonce: nonce, tokens: tokens, flow: flow)
            })
        return IDPAuthCodeLoginRequest(
            code: code, issuer: issuer.text, clientID: client.entry.clientID.text, subject: account.subject,
            startURL: startURL)
    }
}
