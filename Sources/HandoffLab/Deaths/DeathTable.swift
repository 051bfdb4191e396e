package import Basics
package import Platform

/// The kill table: every boundary of both sides, and what becomes of a login when the process dies there, in the
/// simulation and with real processes.
package struct DeathTable: Sendable {
    /// One row.
    package struct Row: Sendable {
        package var point: DeathPoint
        package var outcomes: [StageKind: DeathOutcome]

        package init(point: DeathPoint, outcomes: [StageKind: DeathOutcome]) {
            self.point = point
            self.outcomes = outcomes
        }
    }

    package var rows: [Row]

    /// How many boundaries there are.
    package var boundaryCount: Int { Set(rows.map(\.point.boundary)).count }

    /// What must never be, each with where it was.
    package var breaches: [String] {
        rows.flatMap { row in
            row.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { kind, outcome in
                outcome.breaches.map {
                    "\(row.point.scenario.rawValue), \(row.point.boundary.rawValue), \(kind): \($0)"
                }
            }
        }
    }

    /// What becomes of one death in a simulation of its own.
    package static func simulated(_ point: DeathPoint, seed: UInt64) throws -> DeathOutcome {
        let cast = try DeathScenario.cast
        return try Simulation(seed: seed, stepLimit: 2_000_000).run { environment in
            let stage = SimulatedStage(cast, environment: environment)
            let trial = DeathTrial(stage)
            try await trial.prepare()
            let outcome = try await trial.run(point, timeout: .seconds(10))
            await stage.end()
            return outcome
        }
    }

    /// What becomes of deaths of real processes, one after another in one home.
    ///
    /// - Parameter told: takes each outcome as it is known.
    package static func real(
        _ points: [DeathPoint], programs: DevicePrograms, environment: Environment,
        told: @Sendable (DeathPoint, DeathOutcome) -> Void = { _, _ in }
    ) async throws -> [DeathOutcome] {
        let stage = RealStage(try DeathScenario.cast, programs: programs, environment: environment)
        let trial = DeathTrial(stage)
        do {
            try await trial.prepare()
            var outcomes: [DeathOutcome] = []
            for point in points {
                try Task.checkCancellation()
                let outcome = try await trial.run(point, timeout: .seconds(4))
                told(point, outcome)
                outcomes.append(outcome)
            }
            await stage.end()
            return outcomes
        } catch {
            await stage.end()
            throw error
        }
    }

    package init(rows: [Row]) { self.rows = rows }
}

extension DeathTable {
    /// The table as `--json` prints it.
    package var json: [String: JSONValue] {
        [
            "boundaries": .integer(Int64(boundaryCount)),
            "rows": .array(
                rows.map { row in
                    .object([
                        "scenario": .string(row.point.scenario.rawValue),
                        "side": row.point.side.map { .string($0.rawValue) } ?? .null,
                        "boundary": .string(row.point.boundary.rawValue),
                        "outcomes": .object(
                            Dictionary(uniqueKeysWithValues: row.outcomes.map { ($0.key.rawValue, $0.value.json) })),
                    ])
                }),
        ]
    }
}

extension DeathOutcome {
    fileprivate var json: JSONValue {
        switch self {
        case .completed: ["outcome": "completed"]
        case .failed(let code): ["outcome": "failed", "code": .string(code), "retryable": true]
        case .broken(let breaches): ["outcome": "broken", "breaches": .array(breaches.map(JSONValue.string))]
        }
    }
}
