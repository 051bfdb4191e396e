import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDConnect
import Platform
import TestSupport
import Testing

@Suite struct `A process that dies` {
    @Test(.rule("T24", "A034", "A050", "A188"), arguments: Boundary.client.dropFirst())
    func `is the client's: the next one takes the login up where it was`(boundary: Boundary) throws {
        for seed in UInt64(1)...4 {
            try simulate(seed: seed) { world in
                let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
                let deathbed = Deathbed(boundary)
                let client = try await world.runClient(dialogue: NoDialogue()) { $0.boundary = deathbed.hook }
                let login = client.spawn("login") { try await $0.login(.handOff()) }
                try await deathbed.reached.value()
                await client.kill()
                #expect(await failure { try await login.value } != nil)
                let next = try await world.runClient(dialogue: NoDialogue())
                try await world.environment.sleep(for: .seconds(5))
                #expect(try await next.role.accounts.current()?.username == "alice")
                #expect(try await next.role.login(.handOff()).0.username == "alice")
                await next.stop()
                await broker.stop()
            }
        }
    }

    @Test(.rule("A050")) func `is the client's before anything left: that login ends, and the next one works`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let deathbed = Deathbed(.clientFlowStored)
            let client = try await world.runClient(dialogue: NoDialogue()) { $0.boundary = deathbed.hook }
            let login = client.spawn("login") { try await $0.login(.handOff()) }
            try await deathbed.reached.value()
            await client.kill()
            _ = await failure { try await login.value }
            try await world.environment.sleep(for: .seconds(120))
            let next = try await world.runClient(dialogue: NoDialogue())
            #expect(try await next.role.accounts.all().isEmpty)
            #expect(try await next.role.login(.handOff()).0.username == "alice")
            await next.stop()
            await broker.stop()
        }
    }

    @Test(arguments: Boundary.broker)
    func `is the identity provider app's: the login resumes, or ends with a reason`(boundary: Boundary) throws {
        for seed in UInt64(1)...4 {
            try simulate(seed: seed) { world in
                let deathbed = Deathbed(boundary)
                let broker = try await world.runBroker(dialogue: Script.allowing("alice")) {
                    $0.boundary = deathbed.hook
                }
                let client = try await world.runClient(dialogue: NoDialogue())
                let login = world.environment.spawn("login") { try await client.role.login(.handOff()) }
                try await deathbed.reached.value()
                await broker.kill()
                let next = try await world.runBroker(dialogue: Script.allowing("alice"))
                let error = await failure { try await login.value }
                if boundary == .brokerCodeObtained {
                    // The request object is used up, and the code died with the process.
                    #expect(error?.code == .peerFailed)
                    #expect(error?.nextStep.contains("countersign-client login") == true)
                } else {
                    #expect(error == nil)
                }
                #expect(try await client.role.login(.handOff()).0.username == "alice")
                await client.stop()
                await next.stop()
            }
        }
    }

    @Test func `and is not replaced ends the logins that wait for it, and none that the next one has`() throws {
        try simulate { world in
            let silent = SilentDialogue()
            let broker = try await world.runBroker(dialogue: silent)
            let client = try await world.runClient(dialogue: NoDialogue())
            let first = client.spawn("first") { try await $0.login(.handOff()) }
            _ = try await silent.asked.value()
            await broker.kill()
            // Another login, at the next process, while the client still hopes for an answer of the dead one.
            let patient = SilentDialogue()
            let next = try await world.runBroker(dialogue: patient)
            let second = client.spawn("second") { try await $0.login(.handOff(timeout: .seconds(20))) }
            let start = world.environment.now()
            #expect(await failure { try await first.value }?.code == .peerLeft)
            #expect(world.environment.now() - start < .seconds(1))
            #expect(await failure { try await second.value }?.code == .deadlinePassed)
            await client.stop()
            await next.stop()
        }
    }

    @Test func `while it decides keeps whom the client meant`() throws {
        try simulate { world in
            let deathbed = Deathbed(.brokerRequestTaken)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { $0.boundary = deathbed.hook }
            _ = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
            _ = try await broker.role.logIn(username: "bob", password: Secret("bob-secret"))
            let client = try await world.runClient(dialogue: NoDialogue())
            let login = world.environment.spawn("login") { try await client.role.login(.handOff(hint: "bob")) }
            try await deathbed.reached.value()
            await broker.kill()
            let asked = NotedDialogue(ScriptedDialogue(choices: ["allow"]))
            let next = try await world.runBroker(dialogue: asked)
            #expect(try await login.value.0.username == "bob")
            #expect(asked.kinds == [.consent])
            await client.stop()
            await next.stop()
        }
    }

    @Test func `has no effect after its death, whatever its code still does`() throws {
        try simulate { world in
            let process = try await world.run(try world.app(notes), NoDialogue()) { $0 }
            let surroundings = process.role
            await process.kill()
            await #expect(throws: CancellationError.self) {
                try await surroundings.store.write(.full) {
                    try $0.put(Record(kind: RecordKind("x"), key: "y", value: []))
                }
            }
            await #expect(throws: CancellationError.self) { try await surroundings.bus.owner(of: idp) }
            await #expect(throws: CancellationError.self) {
                try await surroundings.http.send(HTTPCall("GET", world.issuer.text))
            }
            #expect(throws: CancellationError.self) { try surroundings.store.read { _ in } }
            surroundings.journal.record(JournalEntry(.note, "from beyond"))
            #expect(world.journal.lines.allSatisfy { $0.entry.message != "from beyond" })
        }
    }
}
