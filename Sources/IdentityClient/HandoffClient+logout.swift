import Basics
import Handoff
import OpenIDConnect
import Platform

/// `logout` as it arrives: an identity provider app ends logins that its issuer vouches for.
extension HandoffClient {
    /// The logout tokens that were taken, by `jti`.
    static let logoutTokens = Table<Bool>("logout-token")
    /// How long the provider is waited for, before the receipt says that it could not be told.
    private static let patience: Duration = .seconds(2)

    /// Ends the logins that are meant, and sends the receipt. A login that is not there is acknowledged all the same,
    /// so that a `logout` can be told again. Another account is never made current.
    ///
    /// - Throws: the rule that refused; then the peer is told, and nothing has changed.
    func accept(_ request: LogoutRequest, _ incoming: IncomingCommand) async throws {
        let entry = try identityProvider(incoming.command.sender.text)
        try await requireNoLogin(incoming)
        let aim: LogoutAim
        let token: LogoutToken?
        do {
            try LogoutRule.check(request, from: entry)
            token =
                if let compact = request.logoutToken {
                    try await accounts.providers.connection(to: entry.issuer.text).verify(logoutToken: compact.unmasked)
                } else {
                    nil
                }
            aim = try LogoutAim(request, provedBy: token)
        } catch {
            let fault = providerFault(error) as? Fault ?? Fault(.internalFault, detail: "\(type(of: error))")
            await refuseLogout(fault, incoming, entry)
            throw fault
        }
        let (ended, flows) = try await takeLogout(aim, token, request, incoming)
        endpoint.taken(incoming)
        await surroundings.boundary(.clientLogoutTaken)
        journal(
            .decided, incoming.command.flow,
            ended.isEmpty ? "there was no such login" : "logged out by the identity provider app")
        if !ended.isEmpty { await accounts.changed() }
        var outcome = LogoutAcknowledgement.Outcome.notLoggedIn
        for account in ended {
            let isRevoked = await settle(account)
            outcome = outcome == .notRevoked || !isRevoked ? .notRevoked : .loggedOut
        }
        await answerLogout(.logoutack(LogoutAcknowledgement(outcome)), incoming, entry)
        for (record, actions) in flows { try await perform(actions, of: record) }
    }

    /// A logout is no part of a login, whose flow it must not touch.
    private func requireNoLogin(_ incoming: IncomingCommand) async throws {
        guard try stage(of: incoming.command.flow) != .none else { return }
        let fault = Fault(.commandUncorrelated, detail: "the flow is a login's")
        await endpoint.refused(fault, sender: incoming.sender, incoming: incoming)
        throw fault
    }

    /// The command's mark, the end of the logins, what is owed for them, and the end of the account's pending flows: one
    /// commit.
    private func takeLogout(
        _ aim: LogoutAim, _ token: LogoutToken?, _ request: LogoutRequest, _ incoming: IncomingCommand
    ) async throws -> (ended: [UserAccount], flows: [(FlowRecord, [ClientFlow.Action])]) {
        let now = surroundings.environment.now()
        let (ledger, store) = (ledger, accounts.store)
        do {
            return try await surroundings.store.write(.full) { transaction in
                try ledger.admit(incoming.command, now: now, in: transaction)
                if let token {
                    // A token counts once; told again, it ends nothing.
                    let isNew = try Self.logoutTokens.insert(
                        token.id, true, expires: token.expires + .seconds(60), in: transaction)
                    guard isNew else { return ([], []) }
                }
                var ended: [UserAccount] = []
                for account in try store.list(in: transaction) {
                    guard aim.means(account, try store.tokens(of: account.key, in: transaction)) else { continue }
                    try store.end(account.key, now: now, in: transaction)
                    ended.append(account)
                }
                return (ended, try Self.endFlows(of: request, in: transaction))
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
    }

    /// Ends the pending logins of the account that is logged out.
    private static func endFlows(
        of request: LogoutRequest, in transaction: borrowing Transaction
    ) throws -> [(FlowRecord, [ClientFlow.Action])] {
        var ended: [(FlowRecord, [ClientFlow.Action])] = []
        for (_, var record) in try FlowRecord.table.list(family: "pending", in: transaction) {
            guard sameBytes(record.flow.issuer, request.issuer), sameBytes(record.flow.subject, request.subject)
            else { continue }
            let actions = try record.flow.receive(.failed(Fault(.loggedOut)))
            record.clean()
            try record.put(in: transaction)
            ended.append((record, actions))
        }
        return ended
    }

    /// Tells the provider, which in most cases knows already.
    private func settle(_ account: UserAccount) async -> Bool {
        let settled = try? await surroundings.environment.withDeadline(
            Self.patience, orThrow: Fault(.deadlinePassed)
        ) { [accounts] in
            await accounts.settleRevocations(of: account.key)
        }
        return settled ?? false
    }

    private func refuseLogout(_ fault: Fault, _ incoming: IncomingCommand, _ entry: IdentityProviderEntry) async {
        await endpoint.refused(fault, sender: incoming.sender, incoming: incoming)
        let reason: AuthError.Reason =
            switch fault.code {
            case .logoutIssuer: .unauthorizedClient
            // It may be told again, when the provider's keys can be had.
            case _ where fault.code.kind == .environment: .temporarilyUnavailable
            default: .invalidRequest
            }
        // The command is marked as taken, so that it is refused once.
        let (ledger, now) = (ledger, surroundings.environment.now())
        let mark: Void? = try? await surroundings.store.write(.full) {
            try ledger.admit(incoming.command, now: now, in: $0)
        }
        guard mark != nil else { return }
        await answerLogout(.error(AuthError(reason)), incoming, entry)
    }

    /// Answers; that the peer cannot be reached changes nothing here: it will tell the logout again.
    private func answerLogout(_ command: Command, _ incoming: IncomingCommand, _ entry: IdentityProviderEntry) async {
        do {
            try await endpoint.reply(command, to: incoming, from: entry.peer)
        } catch {
            journal(
                .note, incoming.command.flow, "\(command.name.rawValue) could not be delivered",
                code: (error as? any CodedError)?.code)
        }
    }
}
