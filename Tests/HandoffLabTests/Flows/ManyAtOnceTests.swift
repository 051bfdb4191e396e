import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `Many logins at once` {
    private static let apps = (1...5).map { "org.example.app\($0)" }
    private static let names = ["alice", "bob", "carol", "dave", "erin"]

    /// Four apps or more, and five users.
    private func plan(apps: Int = 4) throws -> WorldPlan {
        try WorldPlan(
            users: Self.names.map { WorldPlan.User($0, password: Secret("\($0)-secret")) },
            apps: Self.apps.prefix(apps).map { try WorldPlan.app($0) })
    }

    @Test(.rule("A059"), arguments: UInt64(1)...6)
    func `of four clients, five each, end in twenty accounts`(seed: UInt64) throws {
        try simulate(seed: seed, try plan()) { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            for name in Self.names {
                _ = try await broker.role.logIn(username: name, password: Secret("\(name)-secret"))
            }
            var clients: [LabProcess<HandoffClient>] = []
            for app in Self.apps.prefix(4) { clients.append(try await world.runClient(app, dialogue: NoDialogue())) }
            let logins = clients.flatMap { client in
                Self.names.map { name in
                    (name, client.spawn("login of \(name)") { try await $0.login(.handOff(hint: name)) })
                }
            }
            #expect(logins.count == 20)
            var flows: Set<String> = []
            for (name, login) in logins {
                let (account, info) = try await login.value
                #expect(account.username == name)
                flows.insert(try #require(info.flow))
            }
            #expect(flows.count == 20)
            for client in clients {
                let accounts = try await client.role.accounts.all()
                #expect(accounts.map(\.username).sorted() == Self.names)
                for account in accounts { #expect(try await client.role.accounts.hasSession(account)) }
            }
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.decisions(of: idp).count { $0 == "ended: logged_in" } == 20)
            for app in Self.apps.prefix(4) + [idp] { #expect(world.refusals(of: app) == []) }
            for client in clients { await client.stop() }
            await broker.stop()
        }
    }

    @Test(.rule("A058")) func `are sixteen for each client: the next is refused, and accepted when one has ended`()
        throws
    {
        try simulate(try plan()) { world in
            let broker = try await world.runBroker(dialogue: SilentDialogue())
            let mailbox = Mailbox(world.environment)
            let client = try await world.scripted(Self.apps[0], .client, mailbox)
            let flows = try await world.ask(16, as: Self.apps[0], client)
            for flow in flows { #expect(try await broker.role.stage(of: flow) == .waiting) }

            let refused = try await world.ask(1, as: Self.apps[0], client)[0]
            let error = try await mailbox.first(.error)
            #expect(error.command == .error(AuthError(.temporarilyUnavailable)) && error.flow == refused)
            #expect(try await broker.role.stage(of: refused) == .none)
            for flow in flows { #expect(try await broker.role.stage(of: flow) == .waiting) }

            // Another client has room of its own.
            let neighbour = try await world.scripted(Self.apps[1], .client, Mailbox(world.environment))
            let accepted = try await world.ask(1, as: Self.apps[1], neighbour)[0]
            #expect(try await broker.role.stage(of: accepted) == .waiting)

            try await client.role.send(.cancel, to: try world.peer(idp), flow: flows[0])
            let next = try await world.ask(1, as: Self.apps[0], client)[0]
            #expect(try await broker.role.stage(of: next) == .waiting)
            await client.stop()
            await neighbour.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A058")) func `are sixty-four in all: the next is refused, and accepted when one has ended`() throws {
        try simulate(try plan(apps: 5)) { world in
            let broker = try await world.runBroker(dialogue: SilentDialogue())
            var clients: [LabProcess<CommandEndpoint>] = []
            var flows: [FlowID] = []
            for app in Self.apps.prefix(4) {
                clients.append(try await world.scripted(app, .client, Mailbox(world.environment)))
                flows += try await world.ask(16, as: app, clients.last!)
            }
            #expect(flows.count == 64)
            for flow in flows { #expect(try await broker.role.stage(of: flow) == .waiting) }

            let mailbox = Mailbox(world.environment)
            let fifth = try await world.scripted(Self.apps[4], .client, mailbox)
            let refused = try await world.ask(1, as: Self.apps[4], fifth)[0]
            #expect(try await mailbox.first(.error).command == .error(AuthError(.temporarilyUnavailable)))
            #expect(try await broker.role.stage(of: refused) == .none)

            try await clients[2].role.send(.cancel, to: try world.peer(idp), flow: flows[40])
            let next = try await world.ask(1, as: Self.apps[4], fifth)[0]
            #expect(try await broker.role.stage(of: next) == .waiting)
            for client in clients + [fifth] { await client.stop() }
            await broker.stop()
        }
    }

    @Test(.rule("A058")) func `are sixteen at a client too: the next is refused here, and accepted when one has ended`()
        throws
    {
        try simulate(try plan()) { world in
            let broker = try await world.runBroker(dialogue: SilentDialogue())
            let client = try await world.runClient(Self.apps[0], dialogue: NoDialogue())
            let logins = (1...16).map { number in
                client.spawn("login \(number)") { try await $0.login(.handOff(timeout: .seconds(60))) }
            }
            try await world.environment.sleep(for: .seconds(1))
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .tooManyFlows)
            logins[0].cancel()
            _ = await logins[0].result
            let next = client.spawn("next") { try await $0.login(.handOff(timeout: .seconds(20))) }
            // Nobody answers, so those that were taken end at their deadline, each with its own result.
            #expect(await failure { try await next.value }?.code == .deadlinePassed)
            for login in logins.dropFirst() {
                #expect(await failure { try await login.value }?.code == .deadlinePassed)
            }
            await client.stop()
            await broker.stop()
        }
    }
}

extension LabWorld {
    /// Asks for so many logins, one after the other, each sound in every part.
    fileprivate func ask(
        _ count: Int, as app: String, _ client: LabProcess<CommandEndpoint>
    ) async throws -> [FlowID] {
        var flows: [FlowID] = []
        for _ in 0..<count {
            let flow = try FlowID(environment.uuid())
            try await client.role.send(.authrequest(try request(of: app)), to: try peer(idp), flow: flow)
            flows.append(flow)
        }
        try await environment.sleep(for: .seconds(1))
        return flows
    }
}
