package import Basics
package import IdentityClient
import JOSE

extension AppKeys {
    /// The app's three keys for a program in another language: private JWKs, each with its use, algorithm and `kid`,
    /// under the names of what they are for (docs/handoff-protocol.md).
    package func exported() throws(Fault) -> Secret<String> {
        func members(_ jwk: Secret<String>) throws(Fault) -> JSONValue { try JSONValue(parsing: jwk.unmasked) }
        let json: JSONValue = [
            "schemaVersion": 1, "command": try members(command.privateJWK()),
            "encryption": try members(encryption.privateJWK()), "oauth": try members(oauth.privateJWK()),
        ]
        return Secret(json.serializedText)
    }
}
