import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import OpenIDProvider
import Platform
import Testing

/// Runs a test's story in a world of its own, and shows what the apps wrote when it fails.
func simulate(
    seed: UInt64 = 1, _ plan: WorldPlan? = nil, _ story: @escaping @Sendable (LabWorld) async throws -> Void
) throws {
    let plan = try plan ?? WorldPlan.usual()
    try Simulation(seed: seed, stepLimit: 1_000_000).run { environment in
        let world = try await LabWorld(plan, environment: environment)
        do {
            try await story(world)
        } catch {
            Issue.record("\(error)\n\(world.journal.transcript)")
        }
        await world.stop()
    }
}

/// The code that `body` fails with; nothing when it does not fail.
func failure(_ body: () async throws -> some Any) async -> (any CodedError)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? any CodedError ?? Fault(.internalFault, "not a coded error: \(error)")
    }
}

extension LoginOptions {
    /// The hand-off, without a question at the client.
    static func handOff(hint: String? = nil, timeout: Duration = .seconds(60)) -> LoginOptions {
        LoginOptions(via: .identityProvider(nil), userHint: hint, timeout: timeout)
    }
}

extension LabWorld {
    /// How many rows of a kind the home has, such as `provider.code`.
    func count(_ kind: String) throws -> Int { try home.read { try $0.list(RecordKind(kind)).count } }

    /// What an app refused, by code.
    func refusals(of app: String) -> [String] {
        journal.entries(of: app).filter { $0.kind == .refused }.map { $0.code ?? "?" }
    }

    /// How an app's flows ended, as its journal has it.
    func decisions(of app: String) -> [String] {
        journal.entries(of: app).filter { $0.kind == .decided }.map(\.message)
    }
}

let idp = AppEnrolment.identityProviderID
let notes = AppEnrolment.firstClientID
