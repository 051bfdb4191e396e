import Basics
import Platform
import Testing

/// What a role may not do, done on purpose.
private actor CarelessRole {
    private(set) var done = 0

    func startPlainTask(in environment: Environment) {
        Task {
            try await environment.sleep(for: .seconds(1))
            self.finish()
        }
    }
    nonisolated func startPlainTask() { Task { await self.finish() } }
    func startDetachedTask() { Task.detached { await self.finish() } }
    func startCarefully(in environment: Environment) { environment.spawn("finish") { await self.finish() } }
    func waitByTheWallClock(_ time: Duration) async throws { try await Task.sleep(for: time) }
    private func finish() { done += 1 }
}

/// The text of the fault that ends the run, and its code.
private func failure(
    seed: UInt64 = 77, _ body: @escaping @Sendable (Environment, CarelessRole) async throws -> Void
) -> Fault? {
    do {
        try Simulation(seed: seed).run { environment in try await body(environment, CarelessRole()) }
        return nil
    } catch {
        return error as? Fault
    }
}

@Suite struct `A task that leaves the simulation` {
    @Test func `plain tasks can be noticed with this toolchain`() {
        #expect(Simulation.catchesPlainTasks)
    }

    @Test func `a plain task in a role ends the run, spawned work does not`() throws {
        let fault = try #require(
            failure { environment, role in
                role.startPlainTask()
                try await environment.sleep(for: .seconds(1))
            })
        #expect(fault.code == .simulationEscaped)
        #expect(fault.text.contains("seed 77"))
        let inside = try #require(
            failure { environment, role in
                await role.startPlainTask(in: environment)
                try await environment.sleep(for: .seconds(2))
            })
        #expect(inside.code == .simulationEscaped)
        let none = failure { environment, role in
            await role.startCarefully(in: environment)
            try await environment.sleep(for: .seconds(1))
            #expect(await role.done == 1)
        }
        #expect(none == nil)
    }

    @Test func `a detached task in a role ends the run`() throws {
        let fault = try #require(
            failure { environment, role in
                await role.startDetachedTask()
                try await environment.sleep(for: .seconds(1))
            })
        #expect(fault.code == .simulationEscaped)
    }

    @Test func `a wait by the wall clock in a role ends the run, a wait by the environment does not`() throws {
        // Longer than any machine pauses: a wait that is over before it is awaited suspends nothing. The run ends at
        // once, and cancels it.
        let fault = try #require(failure { _, role in try await role.waitByTheWallClock(.seconds(60)) })
        #expect([.simulationStalled, .simulationEscaped].contains(fault.code))
        #expect(fault.text.contains("seed 77"))
        #expect(failure { environment, _ in try await environment.sleep(for: .milliseconds(1)) } == nil)
    }

    @Test func `a wait by the wall clock beside others ends the run when it comes back`() throws {
        let fault = try #require(
            failure { environment, role in
                let back = Promise<Void>()
                environment.spawn("careless") {
                    // Long enough to be awaited before it is over; it has to come back.
                    try await role.waitByTheWallClock(.milliseconds(300))
                    back.fulfil()
                }
                // Keeps the world busy, in its own time, until the other one is back.
                while back.outcome == nil { try await environment.sleep(for: .seconds(1)) }
            })
        #expect(fault.code == .simulationEscaped)
        #expect(fault.text.contains("foreign thread"))
        #expect(fault.text.contains("careless"))
    }

    @Test func `a world in which nothing can happen any more ends the run, and names who waits`() throws {
        let fault = try #require(
            failure(seed: 9) { environment, _ in
                let never = Promise<Void>()
                let waiter = environment.spawn("waiter for nothing") { try await never.value() }
                try await waiter.value
            })
        #expect(fault.code == .simulationStalled)
        #expect(fault.text.contains("seed 9"))
        #expect(fault.text.contains("waiter for nothing"))
    }

    @Test func `a world that never ends is stopped, and names its sleeps`() throws {
        let simulation = Simulation(seed: 3, stepLimit: 5_000)
        do {
            try simulation.run { environment in
                while true { try await environment.sleep(for: .seconds(1)) }
            }
            Issue.record("it ended")
        } catch let fault as Fault {
            #expect(fault.code == .simulationStalled)
            #expect(fault.text.contains("seed 3"))
        }
        #expect(simulation.steps >= 5_000)
    }

    @Test func `what a failed run leaves behind is cancelled`() {
        let tally = Tally()
        _ = failure { environment, _ in
            let never = Promise<Void>()
            environment.spawn("waiter") {
                do { try await never.value() } catch { tally.note("\(error is CancellationError)") }
            }
            try await never.value()
        }
        #expect(tally.lines == ["true"])
    }
}
