package import Basics
import Handoff
import IdentityBroker
import IdentityClient
import Platform

extension SimulatedStage {
    package func seat(_ person: Person, at name: String) async throws {
        _ = try member(name)
        people[name]?.seat(person)
    }

    package func hold(_ name: String) async throws {
        _ = try member(name)
        people[name]?.hold()
    }

    package func release(_ name: String) async throws {
        _ = try member(name)
        people[name]?.release()
    }

    package func questions(at name: String) async throws -> [String] {
        _ = try member(name)
        return people[name]?.asked ?? []
    }

    package func signIn(_ user: String, at name: String) async throws -> ActionEnd {
        try requirePresent(name)
        return await run(try broker(name), "sign in") { broker in
            _ = try await broker.logIn(username: user, password: Self.password(of: user))
        }
    }

    package func logIn(_ order: LoginOrder) async throws -> ActionEnd {
        try requirePresent(order.client)
        let options = LoginOptions(via: .identityProvider(nil), userHint: order.hint, timeout: order.timeout)
        return await run(try client(order.client), "log in") { _ = try await $0.login(options) }
    }

    package func invite(_ order: InvitationOrder) async throws -> ActionEnd {
        try requirePresent(order.identityProvider)
        let id = try AppID(try member(order.client).appID)
        return await run(try broker(order.identityProvider), "invite") { broker in
            let account = try await broker.accounts.find(order.user)
            let invitation = try await broker.prepareInvitation(
                to: id, account: account, startURL: order.startURL, usesKeychain: order.usesKeychain,
                timeout: order.timeout)
            _ = try await broker.send(invitation)
        }
    }

    package func logOut(_ order: LogoutOrder) async throws -> ActionEnd {
        try requirePresent(order.name)
        guard try member(order.name).isClient else { return try await logOutAtIdentityProvider(order) }
        return await run(try client(order.name), "log out") { client in
            let account = try await client.accounts.find(order.user)
            _ = try await client.logout(account, scope: order.scope, timeout: order.timeout)
        }
    }

    private func logOutAtIdentityProvider(_ order: LogoutOrder) async throws -> ActionEnd {
        let scope = LogoutRequest.Scope(rawValue: order.scope.rawValue) ?? .app
        let reported = Promise<LogoutReport>()
        logoutRows[order.name] = nil
        let end = await run(try broker(order.name), "log out") { broker in
            let account = try await broker.accounts.find(order.user)
            reported.fulfil(try await broker.logOut(account, scope: scope, patience: order.timeout))
        }
        logoutRows[order.name] = try reported.outcome?.get().apps.map { row in
            LogoutRow(
                app: cast.name(ofApp: row.app.text, besides: order.name), revoked: row.isRevoked,
                acknowledged: row.outcome != nil)
        }
        return end
    }

    package func useAccount(_ user: String, of name: String) async throws -> ActionEnd {
        try requirePresent(name)
        return await run(try client(name), "use a token") { client in
            _ = try await client.accounts.userInfo(for: try await client.accounts.find(user))
        }
    }

    /// Runs an action as the app's own work, so that it ends with the process.
    private func run<Role>(
        _ process: LabProcess<Role>, _ name: String, _ action: @escaping @Sendable (Role) async throws -> Void
    ) async -> ActionEnd {
        let task = process.spawn(name, action)
        let end = await ActionEnd.of { try await task.value }
        return process.isDead ? .interrupted : end
    }

    // MARK: - What can be seen

    package func accounts(of name: String) async throws -> [HeldAccount] {
        let manager = try client(name).role.accounts
        let current = try await manager.current()
        return try await manager.all().map { account in
            HeldAccount(
                username: account.username, issuer: account.issuer, subject: account.subject,
                isCurrent: account == current)
        }
    }

    package func flows(of name: String) async throws -> [FlowState] {
        let app = try world(of: name).app(try member(name).appID)
        return clients[name] != nil ? try FlowState.ofClient(in: app.store) : try FlowState.ofBroker(in: app.store)
    }

    package func refusals(by name: String) async throws -> [String] {
        let entries = try world(of: name).journal.entries(of: try member(name).appID)
        return entries.filter { $0.kind == .refused }.map { $0.code ?? "?" }
    }

    package func lastLogoutReport(of name: String) async throws -> [LogoutRow] {
        _ = try member(name)
        return logoutRows[name] ?? []
    }

    package func ledger(of device: String) async throws -> TokenLedger {
        guard let world = worlds[device] else { throw Fault(.unknownActor, "There is no device \(device).") }
        return try TokenLedger(
            entries: world.journal.entries(of: LabWorld.providerName).map { ($0.kind.rawValue, $0.message, $0.code) },
            store: world.providerStore)
    }

    package func passwords() async -> [String: Secret<String>] {
        Dictionary(cast.members.flatMap { $0.users ?? [] }.map { ($0, Self.password(of: $0)) }) { $1 }
    }

    package func transcript() async -> String {
        let several = worlds.count > 1
        return worlds.keys.sorted().map { device in
            (several ? "device \(device)\n" : "") + (worlds[device]?.journal.transcript ?? "")
        }.joined()
    }
}
