import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect

/// The keys of a client app, and its row.
struct SomeKeys: Sendable {
    let keys: AppKeys

    init() throws { keys = try AppKeys.generate { [UInt8](repeating: 1, count: $0) } }

    func entry(_ id: AppID, scopes: String = "openid profile") throws -> AppRegistryEntry {
        AppRegistryEntry(
            id: id, displayName: "Notes", scheme: id.text, commandKey: keys.command.verificationKey.jwk,
            encryptionKey: keys.encryption.encryptionKey.jwk, oauthKey: keys.oauth.verificationKey.jwk,
            clientID: try ClientID(id.text),
            redirectURIs: [try RedirectURI("\(id.text)://callback")], scopes: try ScopeSet(scopes))
    }
}
