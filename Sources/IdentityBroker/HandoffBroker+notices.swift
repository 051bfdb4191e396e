import Basics
import Handoff
import IdentityClient
import Platform

/// Telling the apps of a logout, and taking their receipts.
extension HandoffBroker {
    /// How long an app is waited for, before its `ping` is answered or the next one's turn comes.
    private static let receiptPatience: Duration = .seconds(3)

    /// Tells the apps, or has the process tell them that owns this app's name; and waits until each has answered or is
    /// known not to be there.
    func tellApps(of flow: FlowID, patience: Duration) async throws {
        let environment = surroundings.environment
        let end = environment.now() + patience
        if await endpoint.isRegistered {
            environment.spawn("tell logouts") { [self] in try await tellOpenNotices() }
        } else {
            let own = surroundings.manifest.id
            // With nobody to tell them now, they are told when this app serves again.
            guard try await surroundings.bus.owner(of: own) != nil else { return }
            try await surroundings.bus.activate("tell-logouts", parameter: flow.text, at: own)
        }
        while environment.now() < end {
            let notices = try surroundings.store.read { try LogoutNotice.list(of: flow, in: $0) }
            if notices.allSatisfy({ !$0.state.isOpen || $0.state == .absent }) { return }
            // Whoever was to tell them may have gone.
            if try await surroundings.bus.owner(of: surroundings.manifest.id) == nil { return }
            try await environment.sleep(for: .milliseconds(20))
        }
    }

    /// Tells every app what waits for it.
    func tellOpenNotices() async throws {
        let waiting = try surroundings.store.read { try LogoutNotice.open(in: $0).map(\.app) }
        for app in Set(waiting).sorted(by: { $0.text < $1.text }) {
            surroundings.environment.spawn("tell \(app)") { [self] in await tellWaiting(app) }
        }
    }

    /// Tells an app what waits for it, and waits a while for its receipts. One at a time does so for an app.
    ///
    /// - Parameter name: the connection that owns the app's name, where that is known.
    func tellWaiting(_ app: AppID, at name: String? = nil) async {
        let work =
            telling[app]
            ?? surroundings.environment.spawn("tell \(app)") { [self] in
                do {
                    try await tell(app, at: name)
                } catch {
                    await journal(
                        .note, nil, "\(app) could not be told of a logout", code: (error as? any CodedError)?.code)
                }
            }
        telling[app] = work
        _ = await work.result
        if telling[app] == work { telling[app] = nil }
    }

    private func tell(_ app: AppID, at name: String?) async throws {
        let notices = try surroundings.store.read { try LogoutNotice.open(for: app, in: $0) }
        guard !notices.isEmpty else { return }
        for notice in notices { try await send(notice, at: name) }
        let environment = surroundings.environment
        let end = environment.now() + Self.receiptPatience
        while environment.now() < end {
            let open = try surroundings.store.read { try LogoutNotice.open(for: app, in: $0) }
            guard open.contains(where: { $0.state == .told }) else { return }
            try await environment.sleep(for: .milliseconds(10))
        }
    }

    /// Sends one `logout`; which command it was is stored before it leaves.
    private func send(_ notice: LogoutNotice, at name: String?) async throws {
        guard let peer = try apps.find(notice.app)?.peer else {
            _ = try await surroundings.store.write(.full) { try LogoutNotice.table.remove(notice.key, in: $0) }
            return
        }
        if name == nil, try await surroundings.bus.owner(of: notice.app.text) == nil {
            return try await change(notice) { $0.state = .absent }
        }
        let token = try notice.sealedToken.map { try sealer.open($0, purpose: LogoutNotice.purpose(notice.key)) }
        let request = LogoutRequest(
            issuer: notice.issuer, subject: notice.subject, sessionID: notice.sessionID,
            scope: token == nil ? .device : .everywhere, logoutToken: token)
        let sealed = try await endpoint.seal(.logout(request), to: peer, flow: notice.logout)
        try await change(notice) { $0.tell(sealed.envelope.id) }
        await surroundings.boundary(.brokerLogoutTold)
        do {
            if let name {
                try await endpoint.deliver(sealed, at: name)
            } else {
                try await endpoint.deliver(sealed, to: peer)
            }
        } catch let fault as Fault where [.peerNotRunning, .deadlinePassed].contains(fault.code) {
            journal(.note, notice.logout, "\(notice.app) is not there; it is told when it comes", code: fault.code)
            try await change(notice) { $0.state = .absent }
        }
    }

    private func change(
        _ notice: LogoutNotice, _ change: @escaping @Sendable (inout LogoutNotice) -> Void
    ) async throws {
        try await surroundings.store.write(.full) { transaction in
            guard var now = try LogoutNotice.table.find(notice.key, in: transaction), now.state.isOpen else { return }
            change(&now)
            try now.put(in: transaction)
        }
    }

    // MARK: - Receipts

    /// Whether a command is about a logout that its sender was told of.
    func isAboutLogout(_ command: VerifiedCommand) throws -> Bool {
        let key = LogoutNotice.key(command.flow, command.sender)
        return try surroundings.store.read { try LogoutNotice.table.find(key, in: $0) } != nil
    }

    /// Takes an app's receipt, or its refusal: the replay mark and the notice are one commit.
    func takeReceipt(_ incoming: IncomingCommand) async throws {
        let command = incoming.command
        let ledger = ledger
        let now = surroundings.environment.now()
        do {
            try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                let key = LogoutNotice.key(command.flow, command.sender)
                guard var notice = try LogoutNotice.table.find(key, in: transaction), let id = command.inReplyTo,
                    notice.told.contains(id)
                else { throw Fault(.commandUncorrelated, detail: "no such logout") }
                // An app that was told twice may say so twice: the first word counts.
                guard notice.state.isOpen else { return }
                switch command.command {
                case .logoutack(let receipt):
                    notice.state = .acknowledged(receipt.outcome)
                    if receipt.outcome == .loggedOut { notice.isRevoked = true }
                case .error(let error):
                    notice.state = error.reason == .temporarilyUnavailable ? .waiting : .refused(error.reason)
                default: throw Fault(.commandUncorrelated, detail: "not accepted in this state")
                }
                notice.sealedToken = notice.state.isOpen ? notice.sealedToken : nil
                try notice.put(in: transaction)
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
        endpoint.taken(incoming)
        await surroundings.boundary(.brokerReceiptTaken)
    }
}
