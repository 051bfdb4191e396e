import Basics
import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Synchronization

/// A provider with its clients and users, in memory, under a clock that stands still.
final class World: Sendable {
    static let start = Timestamp(seconds: 1_800_000_000)
    static let password = "correct horse"

    let issuer: Issuer
    let clock = ManualClock(at: World.start)
    let environment: Environment
    let records = InMemoryRecordStore()
    let store: ScopedRecordStore
    let journal = InMemoryJournal()
    let server: AuthorizationServer
    let keys: ProviderKeys

    /// An app that takes part in hand-offs.
    let notes: App
    /// Another one.
    let photos: App
    /// A plain public client without keys.
    let desk: App
    /// A confidential client with a secret.
    let web: App
    /// A confidential client with a key, whose tokens are bearer tokens.
    let portal: App
    /// The identity provider app.
    let broker: App

    private let counter = Mutex(0)

    private static let providerKeys = Result {
        try ProviderKeys(es256: SigningKey.generate(.es256), rs256: SigningKey.generate(.rs256))
    }

    init(
        issuer issuerText: String = "http://localhost:8123",
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws {
        issuer = try Issuer(issuerText)
        environment = .manual(clock)
        store = ScopedRecordStore(records, owner: "provider")
        keys = try World.providerKeys.get()
        notes = try App("com.example.notes", "Notes", "com.example.notes://done")
        photos = try App("com.example.photos", "Photos", "com.example.photos://done")
        desk = try App("desk", "Desk", "http://127.0.0.1/done")
        web = try App("web", "Web", "https://web.example/done")
        portal = try App("portal", "Portal", "https://portal.example/done")
        broker = try App("com.example.idp", "Countersign", "com.example.idp://done")
        var configuration = ProviderConfiguration(issuer: issuer, passwordCost: .quickForTests)
        configure(&configuration)
        server = AuthorizationServer(
            configuration: configuration, keys: keys, store: store, environment: environment, journal: journal)
        try await register()
    }

    private func register() async throws {
        let all = try ScopeSet("openid profile email offline_access")
        let clients = [
            RegisteredClient.handoffApp(
                id: notes.id, displayName: notes.name, redirectURIs: [notes.redirectURI], scopes: all,
                key: try notes.clientKey),
            RegisteredClient.handoffApp(
                id: photos.id, displayName: photos.name, redirectURIs: [photos.redirectURI], scopes: all,
                key: try photos.clientKey),
            RegisteredClient(
                id: desk.id, displayName: desk.name, redirectURIs: [desk.redirectURI], scopes: all),
            RegisteredClient(
                id: web.id, displayName: web.name, kind: .confidential, redirectURIs: [web.redirectURI], scopes: all,
                authentication: .secret(digest: RegisteredClient.secretDigest("web-secret"))),
            RegisteredClient(
                id: portal.id, displayName: portal.name, kind: .confidential, redirectURIs: [portal.redirectURI],
                scopes: all, authentication: .privateKeyJWT(try portal.clientKey),
                requestObjectKey: try portal.clientKey),
            RegisteredClient.broker(
                id: broker.id, displayName: broker.name, redirectURIs: [broker.redirectURI],
                scopes: try ScopeSet("openid profile offline_access device_sso"), key: try broker.clientKey,
                brokerFor: [notes.id, portal.id], mayInitiate: [photos.id]),
        ]
        try await store.write(.full) { transaction in
            for client in clients { try ProviderRegistry.put(client: client, in: transaction) }
        }
        try await addUser("alice", claims: ["name": "Alice", "email": "alice@example.com", "email_verified": true])
        try await addUser("bob")
    }

    @discardableResult
    func addUser(
        _ name: String, password: String = World.password, claims: [String: JSONValue] = [:]
    ) async throws -> RegisteredUser {
        let hash = try PasswordHash(
            of: Secret(password), salt: environment.randomBytes(16), cost: .quickForTests)
        let subject = try Subject(Base64URL.encode(environment.randomBytes(16)))
        let now = clock.now
        return try await store.write(.full) { transaction in
            try ProviderRegistry.putUser(
                name, password: hash, claims: claims, subject: subject, now: now, in: transaction)
        }
    }

    /// Changes one client's registration.
    func change(_ app: App, _ change: @escaping @Sendable (inout RegisteredClient) -> Void) async throws {
        try await store.write(.full) { transaction in
            guard var client = try ProviderRegistry.client(app.id, in: transaction) else {
                throw Fault(.unknownClient)
            }
            change(&client)
            try ProviderRegistry.put(client: client, in: transaction)
        }
    }

    /// How many rows of a kind there are.
    func count(_ kind: String) throws -> Int {
        try store.read { try $0.list(RecordKind(kind)).count }
    }

    /// A new id for a token that counts once.
    func freshID() -> String {
        let number = counter.withLock { counter in
            counter += 1
            return counter
        }
        return "id-\(number)"
    }
}

/// A client of the world with its key.
struct App: Sendable {
    let id: ClientID
    let name: String
    let redirectURI: RedirectURI
    let key: SigningKey

    init(_ id: String, _ name: String, _ redirectURI: String) throws {
        self.id = try ClientID(id)
        self.name = name
        self.redirectURI = try RedirectURI(redirectURI)
        key = try SigningKey.generate(.es256)
    }

    var clientKey: ClientKey {
        get throws { try ClientKey(key.verificationKey.jwk) }
    }
}
