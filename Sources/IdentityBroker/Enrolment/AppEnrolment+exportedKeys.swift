package import Basics
internal import IdentityClient
import JOSE

extension AppEnrolment {
    /// The app's three keys for a program in another language: private JWKs, each with its use, algorithm and `kid`,
    /// under the names of what they are for (docs/handoff-protocol.md).
    package func exportedKeys() throws(Fault) -> Secret<String> {
        let json: JSONValue = [
            "schemaVersion": 1, "command": try whole(keys.command.privateJWK(), keys.command.publicJWK),
            "encryption": try whole(keys.encryption.privateJWK(), keys.encryption.publicJWK),
            "oauth": try whole(keys.oauth.privateJWK(), keys.oauth.publicJWK),
        ]
        return Secret(json.serializedText)
    }

    /// The private members with all that a registry says of the public half.
    private func whole(_ secret: Secret<String>, _ known: JWK) throws(Fault) -> JSONValue {
        let members = try JSONValue(parsing: secret.unmasked).objectValue ?? [:]
        return .object(members.merging(known.json.objectValue ?? [:]) { _, known in known })
    }
}
