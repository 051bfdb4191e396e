import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct `An older attempt` {
    @Test(.rule("S27", "A060"))
    func `that still waits ends as superseded when a newer login is told to, and its question goes`()
        throws
    {
        for concurrency in [AppManifest.Concurrency.many, .one] {
            try simulate(try WorldPlan(apps: [WorldPlan.app(notes) { $0.concurrency = concurrency }])) { world in
                let silent = SilentDialogue()
                let asked = FirstThen(silent, Script.allowing("alice"))
                let broker = try await world.runBroker(dialogue: asked)
                let client = try await world.runClient(dialogue: NoDialogue())
                let older = client.spawn("older") { try await $0.login(.handOff()) }
                _ = try await silent.asked.value()
                var options = LoginOptions.handOff()
                options.supersedesPending = true
                #expect(try await client.role.login(options).0.username == "alice")
                let error = await failure { try await older.value }
                #expect(error?.code == .loginSuperseded)
                #expect(error?.code.kind == .cancelled)
                try await silent.takenBack.value()
                #expect(world.decisions(of: idp).contains("ended: cancelled by the client"))
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test func `that still waits is untouched by a newer login that was not told to end it`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: FirstThen(silent, Script.allowing("alice")))
            _ = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            let client = try await world.runClient(dialogue: NoDialogue())
            let older = client.spawn("older") { try await $0.login(.handOff(timeout: .seconds(20))) }
            _ = try await silent.asked.value()
            let newer = client.spawn("newer") { try await $0.login(.handOff(timeout: .seconds(30))) }
            #expect(await failure { try await older.value }?.code == .deadlinePassed)
            #expect(try await newer.value.0.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A051", "T64"))
    func `that was cancelled takes no answer any more: late, and the next one is untouched`()
        throws
    {
        try simulate { world in
            let isFirst = Mutex(true)
            let silent = SilentDialogue()
            let release = Promise<Void>()
            let broker = try await world.runBroker(
                dialogue: Held(silent, until: release, Script.allowing("alice")))
            let client = try await world.runClient(dialogue: NoDialogue()) { surroundings in
                // The cancel of the first is lost on its way.
                surroundings.bus = TappedBus(surroundings.bus) { name, _ in
                    guard name == .cancel else { return .pass }
                    return isFirst.withLock { first in
                        defer { first = false }
                        return first ? .drop : .pass
                    }
                }
            }
            let older = client.spawn("older") { try await $0.login(.handOff()) }
            _ = try await silent.asked.value()
            older.cancel()
            _ = await failure { try await older.value }
            let newer = client.spawn("newer") { try await $0.login(.handOff()) }
            try await world.environment.sleep(for: .seconds(1))
            release.fulfil()
            #expect(try await newer.value.0.username == "alice")
            try await world.environment.sleep(for: .seconds(1))
            let refusal = try #require(world.journal.entries(of: notes).first { $0.kind == .refused })
            #expect(refusal.code == "command-late")
            #expect(refusal.message == "The authresponse is late: this login was cancelled here.")
            #expect(try await client.role.accounts.all().count == 1)
            await client.stop()
            await broker.stop()
        }
    }

    @Test(.rule("A044"))
    func `whose answer comes twice within 15 ms is redeemed once, and the second is handled already`()
        throws
    {
        for seed in UInt64(1)...5 {
            try simulate(seed: seed) { world in
                let redemptions = Mutex(0)
                let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { surroundings in
                    let (inner, environment) = (surroundings.bus, surroundings.environment)
                    surroundings.bus = TappedBus(inner) { name, url in
                        guard name == .authresponse else { return .pass }
                        environment.spawn("again") {
                            try await environment.sleep(for: .milliseconds(15))
                            try await inner.open(url, at: notes, startIfNeeded: false)
                        }
                        return .pass
                    }
                }
                let client = try await world.runClient(dialogue: NoDialogue()) { surroundings in
                    surroundings.http = TappedHTTP(inner: surroundings.http) { call, _ in
                        if call.url.hasSuffix("/token") { redemptions.withLock { $0 += 1 } }
                    }
                }
                #expect(try await client.role.login(.handOff()).0.username == "alice")
                try await world.environment.sleep(for: .seconds(1))
                let refusals = world.journal.entries(of: notes).filter { $0.kind == .refused }
                #expect(refusals.map(\.code) == ["command-replayed"])
                #expect(refusals.first?.message.contains("handled already") == true)
                #expect(redemptions.withLock { $0 } == 1)
                #expect(try await client.role.accounts.all().count == 1)
                await client.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("S27")) func `that nobody waits for any more takes no answer after its deadline`() throws {
        for (delay, code) in [(3, nil), (11, "command-late" as String?)] {
            try simulate { world in
                let mailbox = Mailbox(world.environment)
                let peer = try await world.scripted(idp, .identityProvider, mailbox)
                let client = try await world.runClient(dialogue: NoDialogue())
                client.spawn("login") { try await $0.login(.handOff(timeout: .seconds(10))) }
                let asked = try await mailbox.first(.authrequest)
                await client.kill()
                // The next process goes on waiting, and nobody waits in it.
                let next = try await world.runClient(dialogue: NoDialogue())
                try await world.environment.sleep(for: .seconds(delay))
                try await peer.role.send(
                    .error(AuthError(.accessDenied)), to: try world.peer(notes), flow: asked.flow, inReplyTo: asked.id)
                try await world.environment.sleep(for: .seconds(1))
                #expect(world.refusals(of: notes) == (code.map { [$0] } ?? []))
                let ending: FlowEnding = code == nil ? .refused : .timedOut
                #expect(try await next.role.stage(of: asked.flow) == .ended(ending))
                await next.stop()
                await peer.stop()
            }
        }
    }

    @Test(.rule("A050")) func `whose record was lost is not known any more, and says to start again`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let release = Promise<Void>()
            let broker = try await world.runBroker(
                dialogue: Held(silent, until: release, Script.allowing("alice")))
            let client = try await world.runClient(dialogue: NoDialogue())
            let login = client.spawn("login") { try await $0.login(.handOff(timeout: .seconds(20))) }
            _ = try await silent.asked.value()
            _ = try await world.app(notes).store.write(.full) { transaction in
                try transaction.removeFamily(RecordKind("flow"), "pending")
            }
            release.fulfil()
            #expect(await failure { try await login.value }?.code == .deadlinePassed)
            let refusal = try #require(world.journal.entries(of: notes).first { $0.kind == .refused })
            #expect(refusal.code == "flow-unknown")
            #expect(ErrorCode.flowUnknown.nextStep.hasPrefix("Start again"))
            #expect(try await client.role.accounts.all().isEmpty)
            #expect(try await client.role.login(.handOff()).0.username == "alice")
            await client.stop()
            await broker.stop()
        }
    }
}
