package import Basics
package import Handoff
package import IdentityClient
package import JOSE

/// The public halves of an app's three keys, each with its `use`, `alg` and thumbprint: what others pin.
package struct AppPublicKeys: Sendable, Hashable {
    /// Checks commands.
    package let command: JWK
    /// Personal commands are encrypted to it.
    package let encryption: JWK
    /// Checks request objects, client assertions and DPoP proofs.
    package let oauth: JWK

    /// The public halves of keys that are at hand.
    package init(_ keys: AppKeys) {
        command = keys.command.verificationKey.jwk
        encryption = keys.encryption.encryptionKey.jwk
        oauth = keys.oauth.verificationKey.jwk
    }

    /// The keys that an app is registered with.
    package init(_ entry: AppRegistryEntry) throws(Fault) {
        try self.init(
            command: try JWK(parsing: entry.commandKey), encryption: try JWK(parsing: entry.encryptionKey),
            oauth: try JWK(parsing: entry.oauthKey))
    }

    /// Takes the keys of an app that made its own: a JWK Set whose members say by `kid` what they are for, `command`,
    /// `encryption` and `oauth`.
    ///
    /// - Throws: `exposed-private-key` where a private key is among them, `unfit-key` for one that does not fit its use,
    ///   `incomplete-key-set` where one is missing.
    package init(jwks: JSONValue) throws(Fault) {
        let set = try JWKSet(jwks)
        func key(_ name: String) throws(Fault) -> JWK {
            guard let key = set.key(id: name) else {
                throw Fault(.incompleteKeySet, "The JWK Set has no key whose kid is “\(name)”.")
            }
            return key
        }
        try self.init(command: try key("command"), encryption: try key("encryption"), oauth: try key("oauth"))
    }

    /// These keys, with the next ones in place of those that are to be replaced.
    package func replaced(by next: KeyRotation.Next) throws(Fault) -> AppPublicKeys {
        try AppPublicKeys(
            command: next.command.verificationKey.jwk, encryption: next.encryption.encryptionKey.jwk,
            oauth: next.oauth?.verificationKey.jwk ?? oauth)
    }

    /// The same words about a key, whoever brought it: `use`, `alg`, and the thumbprint as `kid`.
    private init(command: JWK, encryption: JWK, oauth: JWK) throws(Fault) {
        func signing(_ jwk: JWK) throws(Fault) -> JWK {
            let key = try VerificationKey(pinned: jwk)
            return jwk.with(use: .sig, algorithm: key.algorithm.rawValue, keyID: jwk.thumbprint.value)
        }
        self.command = try signing(command)
        self.oauth = try signing(oauth)
        let key = try EncryptionKey(encryption)
        self.encryption = encryption.with(use: .enc, algorithm: "ECDH-ES", keyID: key.thumbprint.value)
    }
}
