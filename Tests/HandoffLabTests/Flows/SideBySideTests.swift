import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `Two at once` {
    private static let other = "org.example.other"

    @Test(.rule("S8", "T56")) func `are two logins: a refusal of one leaves the other`() throws {
        for seed in UInt64(1)...5 {
            try simulate(seed: seed) { world in
                let broker = try await world.runBroker(
                    dialogue: DialogueInOrder([
                        DialogueInOrder.signIn("alice", "alice-secret"), Answer("deny"), Answer("allow"),
                    ]))
                let client = try await world.runClient(dialogue: NoDialogue())
                let logins = (1...2).map { number in
                    world.environment.spawn("login \(number)") { try await client.role.login(.handOff()) }
                }
                var codes: [ErrorCode?] = []
                for login in logins { codes.append(await failure { try await login.value }?.code) }
                #expect(codes.count { $0 == nil } == 1)
                #expect(codes.count { $0 == .accessDenied } == 1)
                #expect(try await client.role.accounts.all().map(\.username) == ["alice"])
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("T57", "T62")) func `are two codes handed over: each uses the verifier of its own`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes) { $0.switchRule = .silent }])
        for seed in UInt64(1)...5 {
            try simulate(seed: seed, plan) { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let client = try await world.runClient(dialogue: NoDialogue())
                var invitations: [HandoffBroker.Invitation] = []
                for name in ["alice", "bob"] {
                    let account = try await broker.role.logIn(username: name, password: Secret("\(name)-secret"))
                    invitations.append(
                        try await broker.role.prepareInvitation(
                            to: try AppID(notes), account: account, startURL: nil, usesKeychain: true,
                            timeout: .seconds(60)))
                }
                let sent = invitations.map { invitation in
                    world.environment.spawn("send") { try await broker.role.send(invitation) }
                }
                for one in sent { #expect(try await one.value == .loggedIn) }
                #expect(Set(try await client.role.accounts.all().map(\.username)) == ["alice", "bob"])
                for invitation in invitations {
                    let slots = world.group.store(for: notes)
                    #expect(try await slots.take(invitation.flow.text, now: world.environment.now()) == nil)
                }
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("A062")) func `are two clients: each gets a code of its own`() throws {
        let plan = try WorldPlan(apps: [WorldPlan.app(notes), WorldPlan.app(Self.other)])
        for seed in UInt64(1)...5 {
            try simulate(seed: seed, plan) { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let first = try await world.runClient(dialogue: NoDialogue())
                let second = try await world.runClient(Self.other, dialogue: NoDialogue())
                let logins = [first, second].map { client in
                    world.environment.spawn("login") { try await client.role.login(.handOff()).0.username }
                }
                for login in logins { #expect(try await login.value == "alice") }
                try await world.environment.sleep(for: .seconds(1))
                #expect(world.decisions(of: idp).count { $0 == "ended: logged_in" } == 2)
                #expect(world.refusals(of: idp) + world.refusals(of: notes) + world.refusals(of: Self.other) == [])
                await first.stop()
                await second.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("M9")) func `are two processes with one answer: one of them takes it`() throws {
        for seed in UInt64(1)...10 {
            try simulate(seed: seed) { world in
                let answer = Promise<String>()
                let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { surroundings in
                    surroundings.bus = TappedBus(surroundings.bus) { name, url in
                        guard name == .authresponse else { return .pass }
                        answer.fulfil(url)
                        return .drop
                    }
                }
                let http = NotedHTTP(world.network)
                let owner = try await world.runClient(dialogue: NoDialogue()) { $0.http = http }
                let others = try await (1...2).asyncMap { _ in
                    try await world.run(try world.app(notes), NoDialogue(), { $0.http = http }) { surroundings in
                        let client = try await HandoffClient(surroundings: surroundings)
                        await #expect(throws: Fault(.busNameTaken)) { try await client.start() }
                        return client
                    }
                }
                let login = others[0].spawn("login") { try await $0.login(.handOff()).0 }
                let url = try await answer.value()
                let takers = [owner, others[1]].map { process in
                    process.spawn("take") { try await $0.handleIdentityProviderCommand(from: url)?.0 }
                }
                var outcomes: [ErrorCode?] = []
                for taker in takers { outcomes.append(await failure { try await taker.value }?.code) }
                #expect(outcomes.count { $0 == nil } == 1)
                #expect(outcomes.count { $0 == .commandReplayed } == 1)
                #expect(try await login.value.username == "alice")
                #expect(http.count(of: "/token") == 1)
                for process in others { await process.stop() }
                await owner.stop()
                await broker.stop()
            }
        }
    }
}

extension ClosedRange<Int> {
    /// The results of `transform`, one after another.
    fileprivate func asyncMap<Result>(_ transform: (Int) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for number in self { results.append(try await transform(number)) }
        return results
    }
}
