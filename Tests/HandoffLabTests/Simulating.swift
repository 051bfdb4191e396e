import Basics
import HandoffLab
import IdentityBroker
import Platform

/// Runs a test's story in a world of its own, and shows what the apps wrote when it fails.
func simulate(
    seed: UInt64 = 1, _ plan: WorldPlan? = nil, _ story: @escaping @Sendable (LabWorld) async throws -> Void
) throws {
    let plan = try plan ?? WorldPlan.usual()
    try Simulation(seed: seed, stepLimit: 500_000).run { environment in
        let world = try await LabWorld(plan, environment: environment)
        do {
            try await story(world)
        } catch {
            print(world.journal.transcript)
            throw error
        }
        await world.stop()
    }
}

/// Scripted answers.
enum Script {
    /// A person who signs in with the usual password and allows what is asked.
    static func allowing(_ name: String) -> ScriptedDialogue {
        ScriptedDialogue(
            choices: ["allow", "sign-in", "switch"],
            fields: ["username": Secret(name), "password": Secret("\(name)-secret")])
    }
}
