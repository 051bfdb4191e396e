import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform

extension LabWorld {
    /// An app of the world as its peers pin it.
    func peer(_ id: String) throws -> Peer {
        let app = try app(id)
        return try Peer(app.manifest, keys: app.keys)
    }

    /// An app with its own keys that does as the test says: a client or an identity provider app that misbehaves.
    func endpoint(
        of id: String, role: AppRole, keys: AppKeys? = nil,
        _ receive: @escaping @Sendable (CommandEndpoint, Delivery) async -> Void = { _, _ in }
    ) async throws -> LabProcess<CommandEndpoint> {
        let app = try app(id)
        let peers = try (clients.keys.sorted() + [idp]).map { try peer($0) }
        return try await run(app, NoDialogue()) { surroundings in
            let endpoint = CommandEndpoint(
                id: try AppID(id), role: role, keys: AppKeyring(always: keys ?? app.keys), surroundings: surroundings,
                registry: { id in peers.first { $0.id == id }.map { .init(peer: $0) } })
            try await endpoint.register { [weak endpoint] delivery in
                guard let endpoint else { return }
                // A ping is answered by the endpoint itself, whatever the test does with the rest.
                if case .open(let url) = delivery.content, Tap.command(in: url) == .ping {
                    _ = try? await endpoint.accept(url, from: delivery.sender)
                } else if case .open(let url) = delivery.content, Tap.command(in: url) == .pong {
                    _ = try? await endpoint.accept(url, from: delivery.sender)
                } else {
                    await receive(endpoint, delivery)
                }
            }
            return endpoint
        }
    }

    /// Another process of a client app, beside the one that owns its name.
    func besideClient(
        _ id: String = notes, dialogue: any Dialogue = NoDialogue()
    ) async throws -> LabProcess<HandoffClient> {
        try await run(try app(id), dialogue) { surroundings in
            let client = try await HandoffClient(surroundings: surroundings)
            // It finds the name taken, and works beside its owner.
            do { try await client.start() } catch ErrorCode.busNameTaken {}
            return client
        }
    }

    /// Another process of the identity provider app, beside the one that owns its name.
    func besideBroker(dialogue: any Dialogue = NoDialogue()) async throws -> LabProcess<HandoffBroker> {
        let (issuer, clientID) = (issuer, try ClientID(idp))
        return try await run(identityProvider, dialogue) {
            try await HandoffBroker(surroundings: $0, issuer: issuer, clientID: clientID)
        }
    }

    /// The request object inside an `authrequest`, as its receiver reads it.
    func opened(_ url: String, by id: String) throws -> String {
        let keys = try app(id).keys
        guard let shape = try CommandURL(url, schemes: try app(id).manifest.schemes),
            let request = try UnverifiedCommand(shape, decryptionKeys: [keys.encryption]).fields["request"]?.stringValue
        else { throw Fault(.commandShape) }
        return request
    }
}
