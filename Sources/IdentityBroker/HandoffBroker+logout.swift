import Basics
package import Handoff
package import IdentityClient
import OpenIDConnect
import Platform

/// Logging a person out of this app, of this device, or everywhere: the provider first, then the apps.
extension HandoffBroker {
    /// What is done when the provider cannot be reached.
    enum Unreachable {
        /// Nothing has happened.
        case giveUp
        /// The apps are told all the same, and the provider when it can be reached.
        case goOn
        /// The same logout is tried again later.
        case later
    }

    /// Logs an account out.
    ///
    /// Of this app: revoked at the provider, and removed. Of the device or everywhere: the provider ends the sessions;
    /// then the account goes here, and every app that got a login of it through this app is told. One that is not there
    /// is told when it next appears.
    ///
    /// - Parameters:
    ///   - force: whether to go on when the provider cannot be reached.
    ///   - patience: how long the apps are waited for.
    /// - Throws: why the provider did not do it; then nothing has changed, unless `force` says otherwise.
    package func logOut(
        _ account: UserAccount, scope: LogoutRequest.Scope, force: Bool = false, patience: Duration = .seconds(10)
    ) async throws -> LogoutReport {
        let flow = try FlowID(surroundings.environment.uuid())
        guard scope != .app else {
            let isRevoked = try await accounts.logout(account, force: force)
            return LogoutReport(flow: flow, scope: scope, isRevoked: isRevoked, apps: [])
        }
        try await beginLogout(account, scope, flow)
        try await carryOut(flow, whenUnreachable: force ? .goOn : .giveUp)
        try await tellApps(of: flow, patience: patience)
        return try report(of: flow)
    }

    /// What came of a logout so far.
    package func report(of flow: FlowID) throws -> LogoutReport {
        let (record, notices) = try surroundings.store.read { records in
            (try LogoutRecord.table.find(flow.text, in: records), try LogoutNotice.list(of: flow, in: records))
        }
        guard let record else { throw Fault(.internalFault, detail: "no such logout") }
        return LogoutReport(
            flow: flow, scope: record.scope, isRevoked: record.isRevoked,
            apps: try notices.map { notice in
                LogoutReport.Row(
                    app: notice.app, name: try apps.find(notice.app)?.entry.displayName ?? notice.app.text,
                    isRevoked: notice.isRevoked, state: notice.state)
            })
    }

    /// Stores that an account is to be logged out; nothing has been said to anybody.
    func beginLogout(_ account: UserAccount, _ scope: LogoutRequest.Scope, _ flow: FlowID) async throws {
        let now = surroundings.environment.now()
        let (sealer, store) = (sealer, accounts.store)
        try await surroundings.store.write(.full) { transaction in
            guard try LogoutRecord.table.find(flow.text, in: transaction) == nil else {
                throw Fault(.commandUncorrelated, detail: "the flow is under way already")
            }
            let handed = try HandedLogin.list(issuer: account.issuer, subject: account.subject, in: transaction)
            var sealedProof: String?
            if let tokens = try store.tokens(of: account.key, in: transaction), let idToken = tokens.idToken,
                let secret = tokens.deviceSecret
            {
                let proof = AccountProof(idToken: idToken, deviceSecret: secret)
                sealedProof = try sealer.seal(json: proof, purpose: LogoutRecord.purpose(flow))
            }
            try LogoutRecord(
                flow: flow, issuer: account.issuer, subject: account.subject, scope: scope,
                sessions: Set(handed.compactMap(\.sessionID)).sorted(), sealedProof: sealedProof,
                expires: now + LogoutRecord.life
            ).put(in: transaction)
        }
        await surroundings.boundary(.brokerLogoutStored)
    }

    /// Has the provider end the sessions, and stores what the apps are to be told.
    func carryOut(_ flow: FlowID, whenUnreachable: Unreachable) async throws {
        guard let record = try surroundings.store.read({ try LogoutRecord.table.find(flow.text, in: $0) }),
            record.phase == .revoking
        else { return }
        let result: SessionRevocation.Result?
        do {
            result = try await revoke(record)
        } catch is CancellationError {
            // This process ends; the next one takes the logout up where it is.
            throw CancellationError()
        } catch {
            let fault = providerFault(error)
            switch whenUnreachable {
            case .goOn: break
            case .later where (fault as? any CodedError)?.code.kind != .environment: break
            case .later: throw fault
            case .giveUp:
                _ = try await surroundings.store.write(.full) { try LogoutRecord.table.remove(flow.text, in: $0) }
                throw fault
            }
            journal(.note, flow, "the provider was not told", code: (fault as? any CodedError)?.code)
            result = nil
        }
        try await store(result, of: flow)
        await surroundings.boundary(.brokerLogoutRevoked)
        journal(.decided, flow, "logged out, \(record.scope.rawValue)")
        await accounts.changed()
    }

    private func revoke(_ record: LogoutRecord) async throws -> SessionRevocation.Result {
        let clients = try surroundings.store.read { records in
            try HandedLogin.list(issuer: record.issuer, subject: record.subject, in: records).map(\.app)
        }.compactMap { try apps.find($0)?.entry.clientID }
        let proof = try record.sealedProof.map { sealed in
            try sealer.open(AccountProof.self, sealed, purpose: LogoutRecord.purpose(record.flow))
        }
        return try await SessionRevocation(provider: provider).end(
            record.scope, provedBy: proof, sessions: record.sessions, clients: clients, flow: record.flow)
    }

    /// The account goes, and each app that has a login of it gets a notice: one commit.
    ///
    /// - Parameter result: what the provider did; `nil` where it was not told.
    private func store(_ result: SessionRevocation.Result?, of flow: FlowID) async throws {
        var tokens: [String: Secret<String>] = [:]
        var isRevoked = false
        if case .done(let given) = result { (tokens, isRevoked) = (given, true) }
        let now = surroundings.environment.now()
        let (sealer, store, apps, given, isDead) = (sealer, accounts.store, apps, tokens, isRevoked)
        try await surroundings.store.write(.full) { transaction in
            // Two processes may carry out the same logout: the first one's word counts.
            guard var record = try LogoutRecord.table.find(flow.text, in: transaction), record.phase == .revoking
            else { return }
            record.phase = .telling
            record.isRevoked = isDead
            // Kept only where the provider has still to be told.
            if result != nil { record.sealedProof = nil }
            try record.put(in: transaction)
            for login in try HandedLogin.list(issuer: record.issuer, subject: record.subject, in: transaction) {
                let key = LogoutNotice.key(flow, login.app)
                let token = try apps.find(login.app).flatMap { given[$0.entry.clientID.text] }
                try LogoutNotice(
                    logout: flow, app: login.app, issuer: login.issuer, subject: login.subject,
                    sessionID: token == nil ? login.sessionID : nil,
                    sealedToken: try token.map { try sealer.seal($0, purpose: LogoutNotice.purpose(key)) },
                    isRevoked: isDead, expires: record.expires
                ).put(in: transaction)
                try login.remove(in: transaction)
            }
            let account = "\(record.issuer) \(record.subject)"
            if isDead {
                try store.remove(account, in: transaction)
            } else {
                try store.end(account, now: now, in: transaction)
            }
        }
    }

    // MARK: - Now and then

    /// Goes on with the logouts that are not finished: those that an earlier process left, what the provider has still
    /// to be told, and the apps that were not there.
    package func resumeLogouts() async {
        do {
            for (_, record) in try surroundings.store.read({ try LogoutRecord.table.list(family: "open", in: $0) }) {
                switch record.phase {
                case .revoking: try? await carryOut(record.flow, whenUnreachable: .later)
                case .telling: try? await tellProvider(record)
                }
            }
            await accounts.settleRevocations()
            try await tellOpenNotices()
        } catch {
            journal(.note, nil, "logouts could not be taken up", code: (error as? any CodedError)?.code)
        }
    }

    /// Makes up for what a forced logout left out. By now the person may have signed in elsewhere again, so that only
    /// this device's old sessions end.
    private func tellProvider(_ record: LogoutRecord) async throws {
        let flow = record.flow
        var late = record
        late.scope = .device
        let isRevoked: Bool
        do {
            if case .done = try await revoke(late) { isRevoked = true } else { isRevoked = false }
        } catch {
            // What the provider refuses it will refuse again.
            guard (providerFault(error) as? any CodedError)?.code.kind == .refused else { throw error }
            isRevoked = false
        }
        try await surroundings.store.write(.full) { transaction in
            guard var record = try LogoutRecord.table.find(flow.text, in: transaction) else { return }
            record.sealedProof = nil
            record.isRevoked = isRevoked
            try record.put(in: transaction)
            for var notice in try LogoutNotice.list(of: flow, in: transaction) where isRevoked {
                notice.isRevoked = true
                try notice.put(in: transaction)
            }
        }
    }
}
