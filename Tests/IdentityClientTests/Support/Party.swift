import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect
import Platform

/// An app with its keys, and how its peers pin it.
struct Party: Sendable {
    let id: String
    let role: AppRole
    let keys: AppKeys

    init(_ id: String, _ role: AppRole) throws {
        self.id = id
        self.role = role
        keys = try AppKeys.generate { [UInt8](repeating: 7, count: $0) }
    }

    var scheme: String { id }

    var peer: Peer {
        get throws {
            Peer(
                id: try AppID(id), role: role, displayName: id, scheme: scheme,
                commandKeys: [keys.command.verificationKey], encryptionKey: keys.encryption.encryptionKey)
        }
    }

    /// A command of this app, sealed.
    func seal(
        _ command: Command, to receiver: Party, flow: FlowID, inReplyTo: CommandID? = nil, number: UInt8 = 1,
        now: Timestamp
    ) throws -> SealedCommand {
        try CommandSealer(sender: try AppID(id), key: keys.command).seal(
            command, to: try receiver.peer, flow: flow, inReplyTo: inReplyTo,
            id: CommandID(randomBytes: [UInt8](repeating: number, count: 16)), now: now)
    }

    /// The same, as its receiver verified it.
    func verified(
        _ command: Command, to receiver: Party, flow: FlowID, number: UInt8 = 1, now: Timestamp
    ) throws -> VerifiedCommand {
        let sealed = try seal(command, to: receiver, flow: flow, number: number, now: now)
        let peer = try peer
        let verified = try CommandReceiver(
            id: try AppID(receiver.id), role: receiver.role, schemes: [receiver.scheme],
            decryptionKeys: [receiver.keys.encryption]
        ).verify(sealed.url, now: now) { _ in peer }
        guard let verified else { throw Fault(.commandShape) }
        return verified
    }
}

/// A client app and an identity provider app on one bus, without a provider.
struct Pair: Sendable {
    static let issuer = "http://localhost:8123"
    static let flow = "3f2b8a52-7d31-4c0a-9a55-0f6f1c1d2e3f"

    let environment: Environment
    let bus: InMemoryBusDaemon
    let client: Party
    let idp: Party
    let journal = InMemoryJournal()

    init(_ environment: Environment) throws {
        self.environment = environment
        bus = InMemoryBusDaemon(environment: environment)
        client = try Party("org.example.notes", .client)
        idp = try Party("org.example.idp", .identityProvider)
    }

    var manifest: AppManifest {
        AppManifest(
            id: client.id, displayName: "Notes", role: .client, schemes: [client.scheme],
            redirectURIs: ["\(client.scheme)://callback"], scopes: ["openid"],
            identityProviders: [
                .init(
                    id: idp.id, displayName: "Countersign", scheme: idp.scheme,
                    commandKey: idp.keys.command.verificationKey.jwk.json,
                    encryptionKey: idp.keys.encryption.encryptionKey.jwk.json, issuer: Pair.issuer,
                    clientID: client.id)
            ])
    }

    func surroundings(
        _ party: Party, connection: any CommandBus, dialogue: any Dialogue = NoDialogue(), secrets: any SecretStore
    ) -> Surroundings {
        let network = InMemoryNetwork(environment: environment)
        var manifest = manifest
        if party.role == .identityProvider {
            manifest = AppManifest(
                id: idp.id, displayName: "Countersign", role: .identityProvider, schemes: [idp.scheme])
        }
        return Surroundings(
            environment: environment.party(), manifest: manifest, store: InMemoryRecordStore(), secrets: secrets,
            bus: connection, http: network, listener: network, opener: NoOpener(), dialogue: dialogue,
            journal: journal, ownUserID: 1000)
    }

    /// The client, started.
    func startClient(dialogue: any Dialogue = NoDialogue()) async throws -> HandoffClient {
        let secrets = InMemorySecretStore()
        try await client.keys.save(to: secrets)
        let handoff = try await HandoffClient(
            surroundings: surroundings(client, connection: bus.connect(), dialogue: dialogue, secrets: secrets))
        try await handoff.start()
        return handoff
    }

    /// One of the two as a bare endpoint; what it accepts goes to `received`.
    func startEndpoint(
        _ party: Party, at connection: (any CommandBus)? = nil, directOnly: Bool = false, executable: String? = nil,
        _ received: @escaping @Sendable (Result<IncomingCommand?, any Error>) -> Void = { _ in }
    ) async throws -> CommandEndpoint {
        let other = try party.role == .client ? idp.peer : client.peer
        let endpoint = CommandEndpoint(
            id: try AppID(party.id), role: party.role, keys: AppKeyring(always: party.keys),
            surroundings: surroundings(party, connection: connection ?? bus.connect(), secrets: InMemorySecretStore()),
            registry: { id in
                id == other.id ? .init(peer: other, directOnly: directOnly, executable: executable) : nil
            })
        try await endpoint.register { [weak endpoint] delivery in
            guard let endpoint, case .open(let url) = delivery.content else { return }
            do {
                received(.success(try await endpoint.accept(url, from: delivery.sender)))
            } catch {
                received(.failure(error))
            }
        }
        return endpoint
    }
}

/// Runs a story in a simulation.
func simulate(_ story: @escaping @Sendable (Environment) async throws -> Void) throws {
    try Simulation(seed: 11, stepLimit: 200_000).run(story)
}
