import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `A second process of an app` {
    @Test(.rule("A080")) func `has its cancel told by the one that owns the name, and the question goes`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let owner = try await world.runClient(dialogue: NoDialogue())
            let second = try await world.besideClient()
            let login = second.spawn("login") { try await $0.login(.handOff()) }
            _ = try await silent.asked.value()
            login.cancel()
            _ = await failure { try await login.value }
            try await silent.takenBack.value()
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.decisions(of: idp).contains("ended: cancelled by the client"))
            #expect(world.refusals(of: idp) + world.refusals(of: notes) == [])
            await second.stop()
            await owner.stop()
            await broker.stop()
        }
    }

    @Test func `may end the login of the one that owns the name, and take its place`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: FirstThen(silent, Script.allowing("alice")))
            let owner = try await world.runClient(dialogue: NoDialogue())
            let older = owner.spawn("older") { try await $0.login(.handOff()) }
            _ = try await silent.asked.value()
            let second = try await world.besideClient()
            let newer = second.spawn("newer") {
                var options = LoginOptions.handOff()
                options.supersedesPending = true
                return try await $0.login(options).0.username
            }
            #expect(await failure { try await older.value }?.code == .loginSuperseded)
            try await silent.takenBack.value()
            #expect(try await newer.value == "alice")
            await second.stop()
            await owner.stop()
            await broker.stop()
        }
    }

    @Test func `has its cancel told by the next owner of the name, when the one before left with it`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let owner = try await world.runClient(dialogue: NoDialogue()) { surroundings in
                // The owner leaves before the cancel is out.
                surroundings.bus = TappedBus(surroundings.bus) { name, _ in
                    if name == .cancel { try await Promise<Void>().value() }
                    return .pass
                }
            }
            let second = try await world.besideClient()
            let login = second.spawn("login") { try await $0.login(.handOff()) }
            _ = try await silent.asked.value()
            login.cancel()
            _ = await failure { try await login.value }
            try await world.environment.sleep(for: .seconds(1))
            await owner.kill()
            let next = try await world.runClient(dialogue: NoDialogue())
            try await silent.takenBack.value()
            try await world.environment.sleep(for: .seconds(1))
            #expect(world.decisions(of: idp).contains("ended: cancelled by the client"))
            await second.stop()
            await next.stop()
            await broker.stop()
        }
    }

    @Test func `goes on with its login when the one that owned the name leaves, wherever the login stood`() throws {
        for seed in UInt64(1)...4 {
            for delay in [0, 1, 5, 20, 60, 200, 600] {
                try simulate(seed: seed) { world in
                    let patient = SlowDialogue(
                        delay: .milliseconds(100), environment: world.environment, inner: Script.allowing("alice"))
                    let broker = try await world.runBroker(dialogue: patient)
                    let owner = try await world.runClient(dialogue: NoDialogue())
                    let second = try await world.besideClient()
                    let login = second.spawn("login") { try await $0.login(.handOff()).0.username }
                    try await world.environment.sleep(for: .milliseconds(delay))
                    await owner.stop()
                    #expect(try await login.value == "alice", "after \(delay) ms")
                    #expect(try await second.role.accounts.all().count == 1)
                    await second.stop()
                    await broker.stop()
                }
            }
        }
    }

    @Test func `takes an invitation by hand, and its word goes out by the one that owns the name`() throws {
        for name in ["alice", "bob"] {
            try simulate { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let owner = try await world.runClient(dialogue: NoDialogue())
                _ = try await owner.role.login(.handOff())
                let account = try await broker.role.logIn(username: name, password: Secret("\(name)-secret"))
                let invitation = try await broker.role.prepareInvitation(
                    to: try AppID(notes), account: account, startURL: nil, usesKeychain: false, timeout: .seconds(60))
                let second = try await world.besideClient(dialogue: Script.choosing(["switch"]))
                let result = try await second.role.handleIdentityProviderCommand(from: invitation.url)
                #expect(result?.0.username == name)
                try await world.environment.sleep(for: .seconds(1))
                let ending = FlowStage.ended(name == "alice" ? .switched : .loggedIn)
                #expect(try await broker.role.stage(of: invitation.flow) == ending)
                await second.stop()
                await owner.stop()
                await broker.stop()
            }
        }
    }

    @Test func `of the identity provider app has its cancel told by the one that owns the name`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let silent = SilentDialogue()
            let client = try await world.runClient(dialogue: silent)
            let second = try await world.besideBroker()
            let opening = second.spawn("open") { [world] in try await world.invite($0, as: "alice") }
            _ = try await silent.asked.value()
            opening.cancel()
            _ = await failure { try await opening.value }
            try await silent.takenBack.value()
            #expect(world.refusals(of: idp) + world.refusals(of: notes) == [])
            await second.stop()
            await client.stop()
            await broker.stop()
        }
    }
}
