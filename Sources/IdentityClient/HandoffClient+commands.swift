import Basics
public import FoundationEssentials
package import Handoff
import Platform

/// What arrives: the contract of `handleIdentityProviderCommand`.
extension HandoffClient {
    /// Whether the URL is a command for this app: `false` for a wrong scheme, host, version or name.
    public nonisolated func claims(_ url: String) -> Bool { endpoint.claims(url) }

    /// The flow that a command names, where its signature holds; nothing is taken.
    package nonisolated func provenFlow(of url: String) async -> String? {
        await endpoint.provenFlow(of: url)
    }

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
        guard claims(url.absoluteString) else {
            endpoint.leftAlone(url.absoluteString)
            return false
        }
        surroundings.environment.spawn("handle") { [self] in
            completion(await result(of: url.absoluteString))
        }
        return true
    }

    private func result(of url: String) async -> Result<(UserAccount, AuthInfo), UserAccountManagerError> {
        do {
            guard let result = try await handle(url, sender: nil) else {
                return .failure(.loginFailed(underlyingError: Fault(.noLogin), authInfo: AuthInfo(.idp)))
            }
            return .success(result)
        } catch let error as UserAccountManagerError {
            return .failure(error)
        } catch {
            return .failure(
                .loginFailed(underlyingError: error, authInfo: AuthInfo(.idp, flow: await provenFlow(of: url))))
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
            case .logout(let request):
                try await accept(request, incoming)
                account = nil
            case .logoutack, .error, .cancel:
                let isAnswer = try await takeLogoutAnswer(incoming)
                account = isAnswer ? nil : try await answer(incoming)
            default: account = try await answer(incoming)
            }
            return account.map { ($0, info) }
        } catch {
            throw UserAccountManagerError.loginFailed(underlyingError: error, authInfo: info)
        }
    }

    /// What the peer says about a flow of this app: the replay mark and the flow's transition are one commit.
    private func answer(_ incoming: IncomingCommand) async throws -> UserAccount? {
        let command = incoming.command
        try await endIfOverdue(command)
        let now = surroundings.environment.now()
        let ledger = ledger
        let sealer = sealer
        let taken: Result<(FlowRecord, [ClientFlow.Action]), Fault>
        do {
            taken = try await surroundings.store.write(.full) { [self] transaction in
                try ledger.admit(command, now: now, in: transaction)
                guard var record = try FlowRecord.table.find(command.flow.text, in: transaction) else {
                    try FlowContract.admit(command, at: .client, in: .none)
                    throw Fault(.flowUnknown)
                }
                let actions: [ClientFlow.Action]
                do throws(Fault) {
                    actions =
                        isOfRevokedKey(record)
                        ? try record.flow.receive(.failed(Fault(.unknownKey)))
                        : try record.flow.receive(.command(command))
                } catch {
                    // A late command is taken, once, and changes nothing.
                    if error.code == .commandLate { return .failure(error) }
                    throw error
                }
                if case .redeem(let code, _) = actions.first {
                    record.sealedCode = try sealer.seal(code, purpose: FlowRecord.purpose(command.flow))
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
        try await perform(actions, of: record)
        let ended = try surroundings.store.read { try FlowRecord.table.find(command.flow.text, in: $0)?.flow.outcome }
        return try ended.map { try account(of: $0, issuer: record.flow.issuer) }
    }

    /// Ends a flow of the sender's that is past its deadline, before anything more is heard of it.
    private func endIfOverdue(_ command: VerifiedCommand) async throws {
        let flow = try surroundings.store.read { try FlowRecord.table.find(command.flow.text, in: $0)?.flow }
        guard let flow, flow.peer == command.sender, flow.deadline <= surroundings.environment.now() else { return }
        try await advance(flow.id, .deadlinePassed)
    }

    /// Where a flow of this app stands, in the words of the contract.
    package func stage(of flow: FlowID) throws -> FlowStage {
        try surroundings.store.read { try FlowRecord.table.find(flow.text, in: $0)?.flow.stage } ?? .none
    }
}
