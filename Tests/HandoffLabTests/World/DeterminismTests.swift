import Basics
import HandoffLab
import IdentityBroker
import Platform
import TestSupport
import Testing

@Suite struct `A world in a simulation` {
    @Test(arguments: HandoffKind.allCases)
    func `is the same for the same seed, and another for another`(kind: HandoffKind) throws {
        let first = try LabWorld.transcript(flow: kind, seed: 7)
        #expect(first == (try LabWorld.transcript(flow: kind, seed: 7)))
        #expect(first != (try LabWorld.transcript(flow: kind, seed: 8)))
        #expect(first.contains(kind == .keychain ? "idpauthcodeinit" : "authresponse"))
    }

    @Test(arguments: HandoffKind.allCases)
    func `ends in a login in every order that twenty seeds choose`(kind: HandoffKind) throws {
        for seed in UInt64(100)..<120 { _ = try LabWorld.transcript(flow: kind, seed: seed) }
    }

    @Test(.rule("S19")) func `has no secret in its transcript`() throws {
        for kind in HandoffKind.allCases {
            let text = try LabWorld.transcript(flow: kind, seed: 3)
            for word in ["alice-secret", "eyJ", "\"d\":", "BEGIN"] { #expect(!text.contains(word)) }
        }
    }

    /// What a role must not do, on purpose.
    private actor CarelessRole {
        private(set) var done = 0

        func startPlainTask() { Task { done += 1 } }

        // Longer than any machine pauses; the run ends at once, and cancels it.
        func waitByTheWallClock() async throws { try await Task.sleep(for: .seconds(60)) }

        func waitByTheEnvironment(_ environment: Environment) async throws {
            try await environment.sleep(for: .milliseconds(5))
        }
    }

    private func run(
        _ misdeed: @escaping @Sendable (CarelessRole, Environment) async throws -> Void
    ) throws {
        try Simulation(seed: 5).run { environment in
            let world = try await LabWorld(.usual(), environment: environment)
            let process = try await world.run(try world.app(notes), NoDialogue()) { _ in CarelessRole() }
            try await misdeed(process.role, environment)
            try await environment.sleep(for: .seconds(1))
            await process.kill()
            await world.stop()
        }
    }

    @Test func `fails when a role starts a plain task`() throws {
        try #require(Simulation.catchesPlainTasks)
        #expect(throws: Fault(.simulationEscaped)) {
            // From the environment's own task: where it starts, it is not isolated to the role.
            try run { role, environment in
                let started = environment.spawn("careless") { await Self.startPlainTask(role) }
                try await started.value
            }
        }
        try run { role, environment in try await role.waitByTheEnvironment(environment) }
    }

    private static func startPlainTask(_ role: CarelessRole) async { Task { await role.startPlainTask() } }

    @Test func `fails when a role waits by the wall clock`() throws {
        do {
            try run { role, _ in try await role.waitByTheWallClock() }
            Issue.record("it was not noticed")
        } catch let fault as Fault {
            #expect([.simulationEscaped, .simulationStalled].contains(fault.code))
        }
    }
}
