import Basics
import Handoff
import Platform

/// Asking the identity provider app for a logout.
extension HandoffClient {
    /// Logs an account out: of this app, of every app of the device, or everywhere.
    ///
    /// Beyond this app it is the identity provider app that does it, if its registry allows this app to ask, and if the
    /// person confirms it there. No other account becomes current.
    ///
    /// - Parameters:
    ///   - force: end it here at least, when neither the provider nor the identity provider app can be reached.
    ///   - timeout: how long the person may take.
    /// - Throws: why not; then the account is still there. `not-handed-over`, `logout-not-permitted`, `access-denied`,
    ///   `peer-not-running`, `deadline-passed`, what the provider says, or a `Cancellation`.
    public func logout(
        _ account: UserAccount, scope: LogoutScope = .app, force: Bool = false,
        timeout: Duration = LoginOptions.withPeople
    ) async throws -> LogoutResult {
        guard scope != .app else { return try await logOutHere(account, force: force) }
        do {
            return try await logOut(account, scope, until: surroundings.environment.now() + timeout)
        } catch let fault as Fault where force && fault.code.kind == .environment {
            journal(.note, nil, "logged out of this app alone", code: fault.code)
            return try await logOutHere(account, force: true)
        }
    }

    /// Ends the account here. The identity provider app that handed it over hears of it, where it is there.
    private func logOutHere(_ account: UserAccount, force: Bool) async throws -> LogoutResult {
        let told = try logoutRequest(for: account, .app)
        let isRevoked = try await accounts.logout(account, force: force)
        if let (request, entry) = told, try await surroundings.bus.owner(of: entry.peer.id.text) != nil {
            // That it does not answer changes nothing: its list is for telling apps what they know already.
            _ = try? await ask(request, of: entry, until: surroundings.environment.now() + .seconds(3))
        }
        return LogoutResult(scope: .app, isRevoked: isRevoked)
    }

    /// What to ask for, and of whom: the identity provider app that the account was handed over by, if one did.
    private func logoutRequest(
        for account: UserAccount, _ scope: LogoutScope
    ) throws -> (LogoutRequest, IdentityProviderEntry)? {
        let (source, session) = try surroundings.store.read { records in
            (
                try accounts.store.identityProvider(of: account.key, in: records),
                try accounts.store.tokens(of: account.key, in: records)?.sessionID
            )
        }
        guard let source else { return nil }
        let request = LogoutRequest(
            issuer: account.issuer, subject: account.subject, sessionID: session, scope: scope.onTheWire)
        return (request, try identityProvider(source))
    }

    private func logOut(
        _ account: UserAccount, _ scope: LogoutScope, until deadline: Timestamp
    ) async throws -> LogoutResult {
        guard let (request, entry) = try logoutRequest(for: account, scope) else { throw Fault(.notHandedOver) }
        let outcome = try await ask(request, of: entry, until: deadline)
        // It may have been told already, as every app is.
        try await accounts.end(account, isRevoked: outcome == .loggedOut)
        return LogoutResult(scope: outcome == .notLoggedIn ? .app : scope, isRevoked: outcome != .notRevoked)
    }

    /// Asks, and waits for the answer.
    private func ask(
        _ request: LogoutRequest, of entry: IdentityProviderEntry, until deadline: Timestamp
    ) async throws -> LogoutAcknowledgement.Outcome {
        let flow = try FlowID(surroundings.environment.uuid())
        let sealed = try await endpoint.seal(.logout(request), to: entry.peer, flow: flow)
        let ask = LogoutAsk(
            flow: flow, peer: entry.peer.id, request: sealed.envelope.id,
            sealedCommand: try sealer.seal(Secret(sealed.url), purpose: LogoutAsk.purpose(flow)),
            expires: deadline + FlowRecord.afterlife)
        try await surroundings.store.write(.full) { try ask.put(in: $0) }
        await surroundings.boundary(.clientLogoutStored)
        do {
            try await send(flow)
            let answer = try await surroundings.environment.withDeadline(
                remaining(until: deadline), orThrow: Fault(.deadlinePassed)
            ) { [self] in
                try await self.answer(to: flow)
            }
            return try Self.outcome(of: answer)
        } catch ErrorCode.deadlinePassed {
            await takeBack(flow)
            throw Fault(.deadlinePassed)
        } catch is CancellationError {
            await takeBack(flow)
            throw Cancellation(by: .caller)
        }
    }

    private func answer(to flow: FlowID) async throws -> LogoutAsk.Answer {
        for turn in 0... {
            let ask = try surroundings.store.read { try LogoutAsk.table.find(flow.text, in: $0) }
            guard let ask else { throw Fault(.deadlinePassed) }
            if let answer = ask.answer { return answer }
            // The process that sent it may have left, and with it who takes the answer.
            if turn.isMultiple(of: 10), await !endpoint.isRegistered, try await takeNameOver(for: flow) {
                await sendLogout(flow.text)
            }
            try await surroundings.environment.sleep(for: .milliseconds(20))
        }
        throw Fault(.deadlinePassed)
    }

    private static func outcome(of answer: LogoutAsk.Answer) throws -> LogoutAcknowledgement.Outcome {
        switch answer {
        case .acknowledged(let outcome): return outcome
        case .refused(.unauthorizedClient): throw Fault(.logoutNotPermitted)
        case .refused(let reason): throw Fault(refusal: reason)
        case .cancelled: throw Cancellation(by: .peer)
        case .failed(let code, let text): throw Fault(stored: code, text: text)
        }
    }

    /// Nobody waits any more: the question is taken back, if it still stands.
    private func takeBack(_ flow: FlowID) async {
        // In a task of its own: the caller may be cancelled already.
        let work = surroundings.environment.spawn("take back") { [self] in
            try await note(.cancelled, flow)
            try await send(flow)
        }
        _ = await work.result
    }

    /// Sends what is stored about a logout, or has the process send it that owns this app's name.
    private func send(_ flow: FlowID) async throws {
        if await endpoint.isRegistered { return await sendLogout(flow.text) }
        do {
            try await surroundings.bus.activate("send-logout", parameter: flow.text, at: surroundings.manifest.id)
        } catch ErrorCode.peerNotRunning {
            guard try await takeNameOver(for: flow) else { throw Fault(.peerNotRunning) }
            await sendLogout(flow.text)
        }
    }

    // MARK: - In the process that owns the name

    /// Sends a logout that was stored, perhaps by another process of this app; or that it is given up.
    func sendLogout(_ text: String) async {
        do {
            guard let ask = try surroundings.store.read({ try LogoutAsk.table.find(text, in: $0) }) else { return }
            if ask.answer == .cancelled {
                return try await endpoint.send(
                    .cancel, to: try identityProvider(ask.peer.text).peer, flow: ask.flow)
            }
            guard ask.answer == nil, let sealed = ask.sealedCommand else { return }
            do {
                let url = try sealer.open(sealed, purpose: LogoutAsk.purpose(ask.flow)).unmasked
                try await endpoint.deliverStored(
                    url, flow: ask.flow, id: ask.request, to: try identityProvider(ask.peer.text).peer)
            } catch {
                let fault = error as? Fault ?? Fault(.internalFault, detail: "\(type(of: error))")
                try await note(.failed(code: fault.code.name, text: fault.text), ask.flow)
            }
        } catch {
            journal(.note, nil, "a logout could not be sent", code: (error as? any CodedError)?.code)
        }
    }

    private func note(_ answer: LogoutAsk.Answer, _ flow: FlowID) async throws {
        try await surroundings.store.write(.full) { transaction in
            guard var ask = try LogoutAsk.table.find(flow.text, in: transaction), ask.answer == nil else { return }
            ask.answer = answer
            ask.sealedCommand = nil
            try ask.put(in: transaction)
        }
    }

    /// Takes the answer to a logout that was asked for: the replay mark and the answer are one commit.
    ///
    /// - Returns: `false` for a command that is about no such logout.
    func takeLogoutAnswer(_ incoming: IncomingCommand) async throws -> Bool {
        let command = incoming.command
        guard try command.name == .logoutack || isAsked(command.flow) else { return false }
        let answer: LogoutAsk.Answer
        switch command.command {
        case .logoutack(let receipt): answer = .acknowledged(receipt.outcome)
        case .error(let error): answer = .refused(error.reason)
        default: answer = .cancelled
        }
        let (ledger, now) = (ledger, surroundings.environment.now())
        do {
            try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                guard var ask = try LogoutAsk.table.find(command.flow.text, in: transaction), ask.answer == nil,
                    ask.peer == command.sender, answer == .cancelled || ask.request == command.inReplyTo
                else { throw Fault(.commandUncorrelated, detail: "no such logout was asked for") }
                ask.answer = answer
                ask.sealedCommand = nil
                try ask.put(in: transaction)
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
        return true
    }

    private func isAsked(_ flow: FlowID) throws -> Bool {
        try surroundings.store.read { try LogoutAsk.table.find(flow.text, in: $0) } != nil
    }
}
