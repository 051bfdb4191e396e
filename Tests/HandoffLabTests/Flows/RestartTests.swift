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
            let watch = BoundaryWatch()
            let deathbed = watch.arm(.brokerRequestTaken)
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) { $0.boundary = watch.hook }
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
