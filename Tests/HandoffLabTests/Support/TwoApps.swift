import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform

let photos = "com.example.photos"

extension WorldPlan {
    /// The usual client and another one.
    static func twoApps(_ permissions: [AppRegistryEntry.Permission] = []) throws -> WorldPlan {
        try WorldPlan(apps: [app(notes) { $0.permissions = permissions }, app(photos)])
    }
}

/// Alice, signed in at the identity provider app and logged in to two apps.
struct TwoApps {
    let broker: LabProcess<HandoffBroker>
    let notes: LabProcess<HandoffClient>
    let photos: LabProcess<HandoffClient>
    let alice: UserAccount

    init(
        _ world: LabWorld, dialogue: any Dialogue = Script.choosing(["allow", "log-out"]),
        broker adjustBroker: LabWorld.Adjustment = { _ in }, notes adjustNotes: LabWorld.Adjustment = { _ in }
    ) async throws {
        broker = try await world.runBroker(dialogue: dialogue, adjustBroker)
        alice = try await broker.role.logIn(username: "alice", password: Secret("alice-secret"))
        notes = try await world.runClient(dialogue: NoDialogue(), adjustNotes)
        photos = try await world.runClient(HandoffLabTests.photos, dialogue: NoDialogue())
        for app in [notes, photos] { _ = try await app.role.login(.handOff(hint: "alice")) }
    }

    func logOut(
        _ scope: LogoutRequest.Scope = .device, force: Bool = false
    ) async throws -> LogoutReport {
        try await broker.role.logOut(alice, scope: scope, force: force)
    }

    func stop() async {
        await notes.stop()
        await photos.stop()
        await broker.stop()
    }
}

extension LogoutReport {
    /// A line for each app: id, revoked, what it said.
    var lines: [String] {
        apps.map { row in
            let state =
                switch row.state {
                case .waiting: "waiting"
                case .absent: "absent"
                case .told: "told"
                case .acknowledged(let outcome): outcome.rawValue
                case .refused(let reason): reason.rawValue
                }
            return "\(row.app) \(row.isRevoked ? "revoked" : "alive") \(state)"
        }
    }
}

extension LabWorld {
    /// A process of an app that has not joined the bus, as a short command is one.
    func runIdle(_ id: String, _ adjust: Adjustment = { _ in }) async throws -> LabProcess<HandoffClient> {
        try await run(try app(id), NoDialogue(), adjust) { try await HandoffClient(surroundings: $0) }
    }
}
