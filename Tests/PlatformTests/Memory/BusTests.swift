import Basics
import Platform
import TestSupport
import Testing

@Suite struct `The bus in memory` {
    private struct NoProgram: Error {}

    @Test func `a service is started once for all who open at it, and only where that is allowed`() throws {
        let opened = try Simulation(seed: 3).run { environment in
            let daemon = InMemoryBusDaemon(environment: environment)
            let received = Tally()
            daemon.install("org.example.App") {
                received.count("start")
                try await environment.sleep(for: .seconds(1))
                _ = try await daemon.connect().register("org.example.App") { _ in received.count("delivery") }
            }
            let sender = daemon.connect()
            await #expect(throws: Fault(.peerNotRunning)) {
                try await sender.open("x:0", at: "org.example.App", startIfNeeded: false)
            }
            let senders = (1...4).map { number in
                environment.spawn("sender \(number)") {
                    try await sender.open("x:\(number)", at: "org.example.App", startIfNeeded: true)
                }
            }
            for sender in senders { try await sender.value }
            try await environment.sleep(for: .seconds(1))
            return received.counts
        }
        #expect(opened == ["start": 1, "delivery": 4])
    }

    @Test(.rule("A078", "A191")) func `a service that does not start is a refusal of its own`() async throws {
        let environment = Environment.fixed()
        let daemon = InMemoryBusDaemon(environment: environment)
        daemon.install("org.example.App") { throw NoProgram() }
        await #expect(throws: Fault(.peerNotStarted)) {
            try await daemon.connect().open("x:y", at: "org.example.App", startIfNeeded: true)
        }
        await environment.stop()
    }

    @Test func `the evidence of a connection is what the daemon was told`() async throws {
        let environment = Environment.fixed()
        let daemon = InMemoryBusDaemon(environment: environment)
        let mine = daemon.connect(userID: 7, processID: 42, executable: "/usr/bin/app")
        let registration = try await mine.register("org.example.App") { _ in }
        let evidence = try await daemon.connect().evidence(of: registration.uniqueName)
        #expect(
            evidence
                == PeerEvidence(
                    uniqueName: registration.uniqueName, userID: 7, processID: 42, executable: "/usr/bin/app"))
        await environment.stop()
    }

    @Test func `a bus that ends takes its connections along`() async throws {
        let environment = Environment.fixed()
        let daemon = InMemoryBusDaemon(environment: environment)
        let bus = daemon.connect()
        let registration = try await daemon.connect().register("org.example.App") { _ in }
        let watch = environment.spawn("watch") { try await bus.departure(of: registration.uniqueName) }
        _ = try await bus.owner(of: "org.example.App")
        daemon.stop()
        do { try await watch.value } catch let fault as Fault { #expect(fault.code == .busUnavailable) }
        await #expect(throws: Fault(.busUnavailable)) { _ = try await bus.owner(of: "org.example.App") }
        await #expect(throws: Fault(.busUnavailable)) { _ = try await daemon.connect().owner(of: "org.example.App") }
        await environment.stop()
    }

    @Test func `a party that has stopped receives nothing more`() throws {
        let counts = try Simulation(seed: 1).run { environment in
            let daemon = InMemoryBusDaemon(environment: environment)
            let received = Tally()
            let party = environment.party()
            let app = daemon.connect(environment: party)
            _ = try await app.register("org.example.App") { _ in received.count("delivery") }
            let sender = daemon.connect()
            try await sender.open("x:1", at: "org.example.App", startIfNeeded: false)
            try await environment.sleep(for: .seconds(1))
            await party.stop()
            try await sender.open("x:2", at: "org.example.App", startIfNeeded: false)
            try await environment.sleep(for: .seconds(1))
            return received.counts
        }
        #expect(counts == ["delivery": 1])
    }
}
