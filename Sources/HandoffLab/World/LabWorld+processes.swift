package import Handoff
package import IdentityBroker
package import IdentityClient
import OpenIDConnect
package import Platform

extension LabWorld {
    /// Changes the surroundings of one process before it starts: a fault, a tap, a boundary.
    package typealias Adjustment = @Sendable (inout Surroundings) -> Void

    /// Starts a process of the identity provider app.
    package func runBroker(
        dialogue: any Dialogue, rules: VerificationRules = .standard, allowsClassic: Bool = false,
        _ adjust: Adjustment = { _ in }
    ) async throws -> LabProcess<HandoffBroker> {
        let issuer = issuer
        let clientID = try ClientID(identityProvider.id)
        return try await run(identityProvider, dialogue, adjust) { surroundings in
            let broker = try await HandoffBroker(
                surroundings: surroundings, issuer: issuer, clientID: clientID, rules: rules,
                allowsClassic: allowsClassic)
            try await broker.start()
            return broker
        }
    }

    /// Starts a process of a client app.
    package func runClient(
        _ id: String = AppEnrolment.firstClientID, dialogue: any Dialogue, rules: VerificationRules = .standard,
        _ adjust: Adjustment = { _ in }
    ) async throws -> LabProcess<HandoffClient> {
        try await run(try app(id), dialogue, adjust) { surroundings in
            let client = try await HandoffClient(surroundings: surroundings, dangerouslyWith: rules)
            try await client.start()
            return client
        }
    }

    /// Starts a process of an app with any role in it: the app's code, or somebody's who has the app's keys.
    package func run<Role: Sendable>(
        _ app: LabApp, _ dialogue: any Dialogue, _ adjust: Adjustment = { _ in },
        _ start: (Surroundings) async throws -> Role
    ) async throws -> LabProcess<Role> {
        let party = environment.party()
        let connection = bus.connect(userID: LabWorld.userID, executable: app.manifest.start.first, environment: party)
        let life = Life()
        var surroundings = Surroundings(
            environment: party, manifest: manifest(of: app), store: app.store, secrets: app.secrets,
            groups: groups(of: app), bus: connection, http: network,
            listener: PartyListener(network: network, environment: party), opener: NoOpener(), dialogue: dialogue,
            journal: journal.journal(of: app.id), homeIssuer: issuer.text, ownUserID: LabWorld.userID)
        adjust(&surroundings)
        // A process that was given other pins keeps them.
        if surroundings.manifest.identityProviders == manifest(of: app).identityProviders {
            surroundings.readManifest = { self.manifest(of: app) }
        }
        do {
            let role = try await start(life.bounding(surroundings))
            return LabProcess(role: role, bus: connection, environment: party, life: life)
        } catch {
            await connection.stop()
            throw error
        }
    }

    private func groups(of app: LabApp) -> [String: any SharedSecretStore] {
        guard app.manifest.groups.contains(AppEnrolment.sharedGroup) else { return [:] }
        return [AppEnrolment.sharedGroup: group.store(for: app.id)]
    }
}

/// Loopback ports whose requests run in their own party.
private struct PartyListener: LoopbackListener {
    let network: InMemoryNetwork
    let environment: Environment

    func listen(_ handler: any HTTPHandler) async throws -> any LoopbackPort {
        try await network.listen(in: environment, handler)
    }
}
