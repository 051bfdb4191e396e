import Basics
import Handoff
import IdentityClient
import OpenIDConnect
import Platform

/// A client that asks for a logout.
extension HandoffBroker {
    /// Takes a client's `logout`. Its own login it has ended itself; for more it needs a permission and the person's word.
    func accept(_ request: LogoutRequest, _ incoming: IncomingCommand) async throws {
        let command = incoming.command
        let client = try client(command.sender)
        try await requireNoLogin(incoming)
        if let (fault, reason) = refusal(of: request, from: client) {
            await endpoint.refused(fault, sender: incoming.sender, incoming: incoming)
            try await markLogout(incoming)
            await answer(.error(AuthError(reason)), incoming, client)
            throw fault
        }
        let isHanded = try await take(request, incoming)
        endpoint.taken(incoming)
        // What this app did not hand over it has nothing to say about, and asks nobody.
        guard isHanded else { return await answer(.logoutack(.init(.notLoggedIn)), incoming, client) }
        guard request.scope != .app else { return await answer(.logoutack(.init(.loggedOut)), incoming, client) }
        guard asked.values.allSatisfy({ $0.client != command.sender }) else {
            return await answer(.error(AuthError(.temporarilyUnavailable)), incoming, client)
        }
        let work = surroundings.environment.spawn("decide logout") { [self] in
            await decide(request, incoming, client)
        }
        asked[command.flow] = AskedLogout(client: command.sender, work: work)
    }

    /// Whether the command gives up a logout that its sender asked for; then the question is taken back.
    func takesBack(_ incoming: IncomingCommand) async throws -> Bool {
        guard let logout = asked[incoming.command.flow], logout.client == incoming.command.sender else { return false }
        try await markLogout(incoming)
        endpoint.taken(incoming)
        asked[incoming.command.flow] = nil
        logout.work.cancel()
        return true
    }

    /// A logout is no part of a login, whose flow it must not touch.
    private func requireNoLogin(_ incoming: IncomingCommand) async throws {
        guard try stage(of: incoming.command.flow) != .none else { return }
        let fault = Fault(.commandUncorrelated, detail: "the flow is a login's")
        await endpoint.refused(fault, sender: incoming.sender, incoming: incoming)
        throw fault
    }

    private func markLogout(_ incoming: IncomingCommand) async throws {
        let (ledger, now) = (ledger, surroundings.environment.now())
        _ = try await surroundings.store.write(.full) { try ledger.admit(incoming.command, now: now, in: $0) }
    }

    private func refusal(
        of request: LogoutRequest, from client: RegisteredClientApp
    ) -> (Fault, AuthError.Reason)? {
        guard sameBytes(request.issuer, issuer.text) else { return (Fault(.logoutIssuer), .invalidRequest) }
        guard request.logoutToken == nil else {
            return (Fault(.commandMeaning, detail: "a client sends no logout token"), .invalidRequest)
        }
        let needed: AppRegistryEntry.Permission? =
            switch request.scope {
            case .app: nil
            case .device: .logoutDevice
            case .everywhere: .logoutEverywhere
            }
        if let needed, !client.entry.allows(needed) { return (Fault(.logoutNotPermitted), .unauthorizedClient) }
        return nil
    }

    /// One commit: the command's mark, and for its own login that this app forgets it.
    ///
    /// - Returns: whether the client has such a login through this app.
    private func take(_ request: LogoutRequest, _ incoming: IncomingCommand) async throws -> Bool {
        let command = incoming.command
        let ledger = ledger
        let now = surroundings.environment.now()
        do {
            return try await surroundings.store.write(.full) { transaction in
                try ledger.admit(command, now: now, in: transaction)
                let key = HandedLogin.key(command.sender, issuer: request.issuer, subject: request.subject)
                guard let login = try HandedLogin.table.find(key, in: transaction) else { return false }
                if request.scope == .app { try login.remove(in: transaction) }
                return true
            }
        } catch {
            await endpoint.refused(error, sender: incoming.sender, incoming: incoming)
            throw error
        }
    }

    private func decide(
        _ request: LogoutRequest, _ incoming: IncomingCommand, _ client: RegisteredClientApp
    ) async {
        let flow = incoming.command.flow
        do {
            guard
                let account = try await accounts.all().first(where: {
                    sameBytes($0.issuer, request.issuer) && sameBytes($0.subject, request.subject)
                })
            else { throw Fault(.loginRequired) }
            let deadline = surroundings.environment.now() + LoginOptions.withPeople
            try await withPrompt(about: client.entry.id, until: deadline) { [self] in
                try await confirm(request.scope, of: account, asker: asker(client, calledItself: nil), deadline)
            }
            // From here on it is done, whatever the client says.
            asked[flow] = nil
            try await beginLogout(account, request.scope, flow)
            try await carryOut(flow, whenUnreachable: .giveUp)
            let isRevoked = try report(of: flow).isRevoked
            await answer(.logoutack(.init(isRevoked ? .loggedOut : .notRevoked)), incoming, client)
            try await tellOpenNotices()
        } catch is CancellationError {
            // The client gave up, or this process ends.
        } catch is Cancellation {
            await answer(.cancel, incoming, client)
        } catch {
            journal(.decided, flow, "the logout was refused", code: (error as? any CodedError)?.code)
            await answer(.error(AuthError(Self.reason(of: error))), incoming, client)
        }
        asked[flow] = nil
    }

    private func confirm(
        _ scope: LogoutRequest.Scope, of account: UserAccount, asker: Question.Asker, _ deadline: Timestamp
    ) async throws {
        let names = try surroundings.store.read { records in
            try HandedLogin.list(issuer: account.issuer, subject: account.subject, in: records).map(\.app)
        }.compactMap { try apps.find($0)?.entry.displayName }
        var lines = ["\(account.username) would be signed out of:"] + names.map { "· \($0)" } + ["· this app"]
        if scope == .everywhere { lines.append("· every other device and browser") }
        let answer = try await surroundings.dialogue.ask(
            Question(
                .logoutConfirmation,
                title: scope == .everywhere ? "Sign out everywhere?" : "Sign out of every app on this device?",
                asker: asker, lines: lines,
                choices: [.init("log-out", "Sign out"), .init("keep", "Stay signed in")], deadline: deadline))
        guard answer.choice == "log-out" else { throw Fault(.accessDenied) }
    }

    private func answer(_ command: Command, _ incoming: IncomingCommand, _ client: RegisteredClientApp) async {
        do {
            try await endpoint.reply(command, to: incoming, from: client.peer)
        } catch {
            journal(
                .note, incoming.command.flow, "\(command.name.rawValue) could not be delivered",
                code: (error as? any CodedError)?.code)
        }
    }
}

/// A logout that a client asked for, while the person is asked.
struct AskedLogout {
    let client: AppID
    let work: Task<Void, any Error>
}
