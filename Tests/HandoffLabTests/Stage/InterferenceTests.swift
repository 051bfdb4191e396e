import HandoffLab
import Platform
import StageConformance
import Testing

@Suite struct `Interference in the simulation` {
    @Test(arguments: StageConformance.checks.map(\.name))
    func `keeps the rule of every stage`(_ rule: String) throws {
        let check = try #require(StageConformance.checks.first { $0.name == rule })
        for seed in UInt64(1)...3 { try play([check], seed: seed) }
    }

    @Test func `leaves a stage on which the next is played`() throws {
        try play(StageConformance.checks, seed: 1)
        try play(StageConformance.checks.reversed(), seed: 1)
    }

    private func play(_ checks: [StageConformance.Check], seed: UInt64) throws {
        let cast = try StageConformance.cast
        try Simulation(seed: seed, stepLimit: 2_000_000).run { environment in
            let stage = SimulatedStage(cast, environment: environment)
            do {
                try await StageConformance.begin(stage)
                for check in checks { try await check.play(stage) }
            } catch {
                Issue.record("\(error)\n\(await stage.transcript())")
            }
            await stage.end()
        }
    }
}
