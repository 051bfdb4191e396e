import Basics
import FoundationEssentials
import Handoff
import JOSE

/// The published vectors, docs/handoff-vectors.json: commands that another implementation made.
struct PublishedVectors {
    let json: JSONValue
    let now: Timestamp

    init() throws {
        json = try JSONValue(
            parsing: Array(Self.page("handoff-vectors.json").utf8), limits: .init(bytes: 1 << 20, depth: 16))
        guard case .integer(let seconds) = json["now"] else { throw Fault(.internalFault) }
        now = Timestamp(seconds: seconds)
    }

    /// The text of a page of docs/.
    static func page(_ name: String) throws -> String {
        let top = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        return try String(contentsOfFile: "/\(top)/docs/\(name)", encoding: .utf8)
    }

    func list(_ name: String) -> [JSONValue] { json[name]?.arrayValue ?? [] }

    /// What the receiver of a vector makes of it, with the other app registered.
    func verified(_ vector: JSONValue) throws -> VerifiedCommand? {
        let name = vector["receiver"]?.stringValue ?? ""
        let other = try peer(name == "client" ? "identity-provider" : "client")
        let own = try peer(name)
        let receiver = CommandReceiver(
            id: own.id, role: own.role, schemes: [own.scheme], decryptionKeys: [try decryptionKey(name)])
        return try receiver.verify(vector["url"]?.stringValue ?? "", now: now) { id throws(Fault) in
            id == other.id ? other : nil
        }
    }

    private func peer(_ name: String) throws -> Peer {
        guard let app = json["apps"]?[name], let id = app["id"]?.stringValue, let scheme = app["scheme"]?.stringValue
        else { throw Fault(.internalFault, name) }
        return Peer(
            id: try AppID(id), role: name == "client" ? .client : .identityProvider, displayName: id, scheme: scheme,
            commandKeys: [try VerificationKey(publicKey("command", of: app), algorithm: .es256)],
            encryptionKey: try EncryptionKey(publicKey("encryption", of: app)))
    }

    private func publicKey(_ use: String, of app: JSONValue) throws -> JWK {
        try JWK(.object((app["keys"]?[use]?.objectValue ?? [:]).filter { $0.key != "d" }))
    }

    private func decryptionKey(_ name: String) throws -> DecryptionKey {
        try DecryptionKey(privateJWK: Secret(json["apps"]?[name]?["keys"]?["encryption"]?.serializedText ?? ""))
    }
}
