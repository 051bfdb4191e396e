import HandoffLab
import LinuxPlatform
import Platform
import StageConformance
import Testing

/// The stage with real processes, by the rules that the simulated one keeps.
@Suite(.serialized) struct StageTests {
    @Test func `interference with real processes keeps the rules of every stage`() async throws {
        let stage = RealStage(
            try StageConformance.cast, programs: try .besideThis(), environment: .live(executor: nil))
        try await always {
            try await StageConformance.begin(stage)
            for check in StageConformance.checks {
                do {
                    try await check.play(stage)
                } catch {
                    Issue.record("\(check.name): \(error)\n\(await stage.transcript())")
                    // What a check left half done must not be the fault of the next.
                    for member in stage.cast.members {
                        try await stage.release(member.name)
                        try await stage.start(member.name)
                    }
                }
            }
        } afterwards: {
            await stage.end()
        }
    }
}
