import IdentityBroker
import IdentityClient
import OpenIDProvider
package import Platform

/// One place where a process can die: a boundary that is passed in a scenario.
package struct DeathPoint: Sendable, Hashable {
    package var scenario: DeathScenario
    package var boundary: Boundary

    package init(scenario: DeathScenario, boundary: Boundary) {
        self.scenario = scenario
        self.boundary = boundary
    }

    /// The side whose process passes a boundary. The provider runs in the identity provider app's process.
    package enum Side: String, Sendable, CaseIterable {
        case client
        case identityProvider = "identity-provider"

        /// What the cast calls its app.
        var memberName: String { self == .client ? "client" : "idp" }

        /// Every boundary of the side, as its roles list them.
        package var boundaries: [Boundary] {
            switch self {
            case .client: Boundary.client + Boundary.clientLogout
            case .identityProvider: Boundary.broker + Boundary.brokerLogout + Boundary.provider
            }
        }
    }

    /// The side that the boundary belongs to; `nil` for one that no role lists.
    package var side: Side? { Side.allCases.first { $0.boundaries.contains(boundary) } }

    /// Every boundary of both sides.
    package static let allBoundaries: [Boundary] = Side.allCases.flatMap(\.boundaries)

    /// Every place, in the order in which it is come to: each scenario is played once, undisturbed, and notes what the
    /// processes pass. So no list can forget one.
    package static func all(in scenarios: [DeathScenario] = DeathScenario.allCases) throws -> [DeathPoint] {
        try scenarios.flatMap { scenario in
            try passed(in: scenario).map { DeathPoint(scenario: scenario, boundary: $0) }
        }
    }

    /// The boundaries that are passed in a scenario by either side, each once: the client's first.
    package static func passed(in scenario: DeathScenario) throws -> [Boundary] {
        let cast = try DeathScenario.cast
        return try Simulation(seed: 1, stepLimit: 1_000_000).run { environment in
            let stage = SimulatedStage(cast, environment: environment)
            let trial = DeathTrial(stage)
            try await trial.prepare()
            try await trial.setScene(scenario)
            // The last boundaries are passed after the transition that ends a flow: here those of the logins before.
            try await environment.sleep(for: .seconds(1))
            let before = Side.allCases.map { stage.watches[$0.memberName]?.passed.count ?? 0 }
            _ = try await scenario.play(on: stage, timeout: .seconds(10))
            _ = try await stage.settle()
            try await environment.sleep(for: .seconds(1))
            let passed = zip(Side.allCases, before).flatMap { side, count in
                (stage.watches[side.memberName]?.passed ?? []).dropFirst(count)
            }
            await stage.end()
            return passed.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
    }
}
