import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
package import OpenIDConnect
import OpenIDProvider
package import Platform
import Synchronization

/// One device in memory: provider, identity provider app and client apps over one bus, one network and one home store,
/// each role with its own rows alone. In a `Simulation` everything that happens in it follows from the seed.
package final class LabWorld: Sendable {
    package let environment: Environment
    package let bus: InMemoryBusDaemon
    package let network: InMemoryNetwork
    /// The home's store: the provider's rows and the identity provider app's. Each sees its own.
    package let home: InMemoryRecordStore
    package let group: InMemorySecretGroup
    package let journal: WorldJournal
    package let issuer: Issuer
    /// The identity provider app.
    package let identityProvider: LabApp
    /// The client apps by id.
    package let clients: [String: LabApp]

    /// What each client app pins now.
    let pins: Mutex<[String: [AppManifest.IdentityProvider]]>
    let provider: LabProvider

    /// The name under which the provider's entries stand in the journal.
    package static let providerName = "provider"

    /// The user id of every process of the world.
    static let userID: UInt32 = 1000

    // Making an RSA key takes longer than a whole simulated login.
    private static let rs256 = Result { try SigningKey.generate(.rs256) }

    /// Builds the world: keys are made, the registries are written in one transaction, and the provider serves. No
    /// app runs yet.
    package init(_ plan: WorldPlan, environment: Environment) async throws {
        self.environment = environment
        bus = InMemoryBusDaemon(environment: environment)
        network = InMemoryNetwork(environment: environment)
        home = InMemoryRecordStore()
        journal = WorldJournal(now: environment.now)
        issuer = try Issuer("http://localhost:\(plan.port)")

        let manifest = AppEnrolment.identityProviderManifest(start: [])
        func makeKeys(_ id: String) throws -> AppKeys {
            try AppKeys.generate(
                command: plan.commandAlgorithms[id] ?? .es256, randomBytes: environment.randomBytes)
        }
        let keys = try makeKeys(manifest.id)
        let issuer = issuer
        let appKeys = try plan.apps.map { try makeKeys($0.id.text) }
        let enrolments = try zip(plan.apps, appKeys).map { app, own in
            try AppEnrolment(
                of: app, keys: AppPublicKeys(own), identityProvider: manifest,
                identityProviderKeys: AppPublicKeys(keys), issuer: issuer)
        }
        group = InMemorySecretGroup(
            members: Set(
                ([manifest] + enrolments.map(\.manifest)).filter { $0.groups.contains(AppEnrolment.sharedGroup) }
                    .map(\.id)))
        identityProvider = try await LabWorld.install(
            manifest, keys, store: ScopedRecordStore(home, owner: "broker"))
        var clients: [String: LabApp] = [:]
        for (enrolment, own) in zip(enrolments, appKeys) {
            clients[enrolment.manifest.id] = try await LabWorld.install(
                enrolment.manifest, own, store: InMemoryRecordStore())
        }
        self.clients = clients
        pins = Mutex(clients.mapValues(\.manifest.identityProviders))

        var configuration = ProviderConfiguration(issuer: issuer, passwordCost: .quickForTests)
        plan.configureProvider(&configuration)
        provider = LabProvider(
            configuration: configuration,
            keys: try ProviderKeys(es256: try SigningKey.generate(.es256), rs256: try LabWorld.rs256.get()),
            store: ScopedRecordStore(home, owner: "provider"), network: network,
            journal: journal.journal(of: LabWorld.providerName), boundary: plan.providerBoundary,
            environment: environment)
        try await register(enrolments, plan.users)
        provider.start()
    }

    private static func install(
        _ manifest: AppManifest, _ keys: AppKeys, store: any RecordStore
    ) async throws -> LabApp {
        let secrets = InMemorySecretStore()
        try await keys.save(to: secrets)
        return LabApp(manifest: manifest, keys: keys, secrets: secrets, store: store)
    }

    /// Writes both registries in one commit, as setting up a home does.
    private func register(_ apps: [AppEnrolment], _ users: [WorldPlan.User]) async throws {
        let own = identityProvider
        let broker = RegisteredClient.broker(
            id: try ClientID(own.id), displayName: own.manifest.displayName,
            redirectURIs: try own.manifest.redirectURIs.map { try RedirectURI($0) },
            scopes: try ScopeSet(own.manifest.scopes), key: try ClientKey(AppPublicKeys(own.keys).oauth),
            brokerFor: apps.map(\.entry.clientID),
            mayInitiate: apps.filter(\.entry.allowsKeychain).map(\.entry.clientID))
        let clients = try apps.map { app in
            RegisteredClient.handoffApp(
                id: app.entry.clientID, displayName: app.entry.displayName, redirectURIs: app.entry.redirectURIs,
                scopes: app.entry.scopes, key: try ClientKey(app.keys.oauth, algorithm: app.entry.oauthAlgorithm))
        }
        let entries = apps.map(\.entry)
        let people = try users.map { user in
            (
                user,
                try PasswordHash(of: user.password, salt: environment.randomBytes(16), cost: .quickForTests),
                try Subject(Base64URL.encode(environment.randomBytes(16)))
            )
        }
        let now = environment.now()
        try await home.write(.full) { transaction in
            try transaction.scoped(to: "provider") { rows in
                for client in [broker] + clients { try ProviderRegistry.put(client: client, in: rows) }
                for (user, password, subject) in people {
                    try ProviderRegistry.putUser(
                        user.name, password: password, claims: user.claims, subject: subject, now: now, in: rows)
                }
            }
            try transaction.scoped(to: "broker") { rows in
                for entry in entries { try AppRegistry.put(entry, in: rows) }
            }
        }
    }

    /// The provider's rows.
    package var providerStore: any RecordStore { ScopedRecordStore(home, owner: "provider") }

    /// A client app of the world.
    ///
    /// - Throws: `unknown-app` for an id that the plan did not have.
    package func app(_ id: String) throws -> LabApp {
        guard let app = id == identityProvider.id ? identityProvider : clients[id] else {
            throw Fault(.unknownClientApp, detail: id)
        }
        return app
    }

    /// Ends the provider and the bus. Processes are stopped by whoever started them.
    package func stop() async {
        await provider.kill()
        bus.stop()
    }
}
