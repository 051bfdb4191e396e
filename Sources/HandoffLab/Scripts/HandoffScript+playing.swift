package import Platform

extension HandoffScript {
    /// Plays it in a simulation of its own; equal seeds give equal runs.
    ///
    /// - Throws: a fault of the stage, `simulation-escaped` or `simulation-stalled`.
    package func playSimulated(seed: UInt64) throws -> ScriptResult {
        try Simulation(seed: seed, stepLimit: 5_000_000).run { environment in
            try await ScriptPlayer(self, on: SimulatedStage(cast, environment: environment)).play(seed: seed)
        }
    }

    /// Plays it with the product's programs, a private bus and a folder of its own.
    package func playReal(programs: DevicePrograms, environment: Environment) async throws -> ScriptResult {
        try await ScriptPlayer(self, on: RealStage(cast, programs: programs, environment: environment)).play(seed: seed)
    }
}
