package import Basics
package import JOSE
package import Platform

/// An app's three keys, and the key that seals its records at rest. Made in the home, never copied.
package struct AppKeys: Sendable {
    /// Signs commands.
    package let command: SigningKey
    /// Receives personal commands.
    package let encryption: DecryptionKey
    /// Signs request objects, client assertions and DPoP proofs.
    package let oauth: SigningKey
    /// Seals tokens and verifiers in the app's own records.
    package let atRest: Secret<[UInt8]>

    package init(command: SigningKey, encryption: DecryptionKey, oauth: SigningKey, atRest: Secret<[UInt8]>) {
        self.command = command
        self.encryption = encryption
        self.oauth = oauth
        self.atRest = atRest
    }

    /// Makes new keys.
    ///
    /// - Parameter command: what commands are signed with. A key for PS256 takes a tenth of a second and more.
    package static func generate(
        command: SignatureAlgorithm = .es256, randomBytes: (Int) -> [UInt8]
    ) throws(Fault) -> AppKeys {
        AppKeys(
            command: try SigningKey.generate(command), encryption: try DecryptionKey.generate(),
            oauth: try SigningKey.generate(.es256), atRest: Secret(randomBytes(32)))
    }

    /// Reads the keys from the app's secrets.
    ///
    /// - Throws: `app-not-enrolled` when one is missing.
    package static func load(from secrets: any SecretStore) async throws -> AppKeys {
        func read(_ name: Name) async throws -> Secret<[UInt8]> {
            guard let secret = try await secrets.read(name.rawValue) else { throw Fault(.appNotEnrolled) }
            return secret
        }
        func text(_ name: Name) async throws -> Secret<String> {
            Secret(String(decoding: try await read(name).unmasked, as: UTF8.self))
        }
        return AppKeys(
            command: try SigningKey(pinnablePrivateJWK: try await text(.command)),
            encryption: try DecryptionKey(privateJWK: try await text(.encryption)),
            oauth: try SigningKey(pinnablePrivateJWK: try await text(.oauth)),
            atRest: try await read(.atRest))
    }

    /// Writes the keys into the app's secrets.
    package func save(to secrets: any SecretStore) async throws {
        func bytes(_ text: Secret<String>) -> Secret<[UInt8]> { Secret(Array(text.unmasked.utf8)) }
        try await secrets.write(Name.command.rawValue, bytes(try command.privateJWK()))
        try await secrets.write(Name.encryption.rawValue, bytes(try encryption.privateJWK()))
        try await secrets.write(Name.oauth.rawValue, bytes(try oauth.privateJWK()))
        try await secrets.write(Name.atRest.rawValue, atRest)
    }

    private enum Name: String {
        case command = "key.command"
        case encryption = "key.encryption"
        case oauth = "key.oauth"
        case atRest = "key.at-rest"
    }
}
