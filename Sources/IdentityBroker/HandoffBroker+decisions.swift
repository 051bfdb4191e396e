import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect
import Platform

/// The decision about one request: account, consent, code, answer.
extension HandoffBroker {
    /// Decides in a task of its own, so that the bus is answered at once and a cancel can take the question back.
    ///
    /// - Parameter isResumed: whether an earlier process began to decide it, and may have come as far as a code.
    func decide(_ id: FlowID, isResumed: Bool = false) {
        guard decisions[id] == nil else { return }
        decisions[id] = surroundings.environment.spawn("decide") { [self] in
            await runDecision(id, isResumed: isResumed)
        }
        watchKeys()
    }

    private func runDecision(_ id: FlowID, isResumed: Bool) async {
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
        } catch let error as OAuthError where isResumed && Self.isRequestRefused(error) {
            // The request object is used up: the code died with the process that had got it.
            journal(.decided, id, "refused", code: .loginInterrupted)
            try? await advance(id, .refused(.serverError))
        } catch {
            let refusal = error as? Refusal
            let fault = refusal?.fault ?? providerFault(error)
            journal(.decided, id, "refused", code: (fault as? any CodedError)?.code ?? .internalFault)
            try? await advance(id, .refused(refusal?.reason ?? Self.reason(of: error)))
        }
    }

    private static func isRequestRefused(_ error: OAuthError) -> Bool {
        [.invalidRequest, .invalidRequestObject].contains(error.code)
    }

    /// The word of the closed list for an error of ours.
    static func reason(of error: any Error) -> AuthError.Reason {
        // What the provider says is passed on in its own word, where that is on the list.
        if let refusal = error as? OAuthError {
            if isRequestRefused(refusal) { return .invalidRequest }
            if let reason = AuthError.Reason(rawValue: refusal.code.rawValue) { return reason }
        }
        return switch (error as? any CodedError)?.code {
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
        let (account, isAllowedNow) = try await withPrompt(about: client.entry.id, until: flow.deadline) { [self] in
            var account = try await chooseAccount(hint: hint, asker: asker, deadline: flow.deadline, flow: id)
            while true {
                let answer = try await consent(
                    to: client, account: account, request: request, transport: record.transport, asker: asker,
                    mayChange: hint == nil, deadline: flow.deadline)
                guard answer == .chooseAnother else { return (account, answer == .givenNow) }
                account = try await chooseAmongAll(asker: asker, deadline: flow.deadline, flow: id)
            }
        }
        // The prompts may have taken their time.
        guard surroundings.environment.now() < flow.deadline else { throw Fault(.deadlinePassed) }
        await surroundings.boundary(.brokerAccountChosen)
        let code = try await code(
            for: account, to: client.entry.clientID, flow: flow, asker: asker, isAllowedNow: isAllowedNow,
            askAgain: { [self] in
                _ = try await withPrompt(about: client.entry.id, until: flow.deadline) { [self] in
                    try await consent(
                        to: client, account: account, request: request, transport: record.transport, asker: asker,
                        mayChange: false, isTakenBack: true, deadline: flow.deadline)
                }
            },
            obtain: { code, tokens in try await code.code(request: compact, tokens: tokens, flow: id) })
        await surroundings.boundary(.brokerCodeObtained)
        let response = SPLoginResponse(
            code: code, issuer: issuer.text, clientID: client.entry.clientID.text, state: request.state?.text ?? "",
            subject: account.subject)
        try await send(response, of: flow, to: client)
    }

    /// Stores the sealed answer with the transition, and then sends it: an answer that is known is never lost.
    private func send(_ response: SPLoginResponse, of flow: BrokerFlow, to client: RegisteredClientApp) async throws {
        guard case .deciding(let request) = flow.phase else { return }
        let sealed = try await endpoint.seal(
            .authresponse(response), to: client.peer, flow: flow.id, inReplyTo: request)
        let stored = try sealer.seal(Secret(sealed.url), purpose: BrokerFlowRecord.purpose(flow.id))
        let handed = try handedLogin(of: response.subject, to: client.entry.id)
        let isStored = try await surroundings.store.write(.full) { transaction in
            guard var record = try BrokerFlowRecord.table.find(flow.id.text, in: transaction) else { return false }
            guard !(try record.flow.receive(.codeObtained(response, id: sealed.envelope.id))).isEmpty else {
                return false
            }
            record.sealedCommand = stored
            record.sealedRequest = nil
            try record.put(in: transaction)
            try handed.put(in: transaction)
            return true
        }
        guard isStored else { throw CancellationError() }
        await surroundings.boundary(.brokerAnswerStored)
        try await deliverPatiently(flow) { [endpoint] in try await endpoint.deliver(sealed, to: client.peer) }
        await surroundings.boundary(.brokerAnswerSent)
    }

    /// That an app has a login of an account through this app, in the session that the account has now.
    func handedLogin(of subject: String, to app: AppID) throws -> HandedLogin {
        let tokens = try surroundings.store.read { try accounts.store.tokens(of: "\(issuer) \(subject)", in: $0) }
        return HandedLogin(
            app: app, issuer: issuer.text, subject: subject, sessionID: tokens?.sessionID,
            handedAt: surroundings.environment.now())
    }
}
