import Basics
import JOSE

/// The keys of an app that makes its own and keeps them.
struct OwnKeys {
    let command: SigningKey
    let encryption: DecryptionKey
    let oauth: SigningKey

    init(command: SignatureAlgorithm = .edDSA) throws {
        self.command = try SigningKey.generate(command)
        encryption = try DecryptionKey.generate()
        oauth = try SigningKey.generate(.es256)
    }

    /// What is registered.
    var publicSet: String {
        let keys = [
            command.verificationKey.jwk.with(use: .sig, algorithm: command.algorithm.rawValue, keyID: "command"),
            encryption.encryptionKey.jwk.with(use: .enc, algorithm: "ECDH-ES", keyID: "encryption"),
            oauth.verificationKey.jwk.with(use: .sig, algorithm: oauth.algorithm.rawValue, keyID: "oauth"),
        ]
        return JWKSet(keys: keys).json.serializedText
    }

    /// What must not be.
    var privateSet: String {
        get throws {
            var keys = try JSONValue(parsing: publicSet)["keys"]?.arrayValue ?? []
            keys[0] = try JSONValue(parsing: try command.privateJWK().unmasked)
            return JSONValue.object(["keys": .array(keys)]).serializedText
        }
    }
}
