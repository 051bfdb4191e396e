import Basics
import Handoff
import JOSE
package import Platform

/// The keys as the app's secrets hold them: a JWK each; one that was replaced has the date of its end as `exp`.
extension AppKeys {
    enum Name {
        static let prefix = "key."
        static let command = "key.command"
        static let encryption = "key.encryption"
        static let oauth = "key.oauth"
        static let atRest = "key.at-rest"
        static let nextCommand = "key.command.next"
        static let nextEncryption = "key.encryption.next"
        static let nextOAuth = "key.oauth.next"

        static func formerCommand(_ key: KeyThumbprint) -> String { "key.command.former.\(key.value)" }
        static func formerOAuth(_ key: KeyThumbprint) -> String { "key.oauth.former.\(key.value)" }
        static func formerEncryption(_ key: KeyThumbprint) -> String { "key.encryption.former.\(key.value)" }
    }

    /// Reads the keys from the app's secrets.
    ///
    /// - Throws: `app-not-enrolled` when one is missing.
    package static func load(from secrets: any SecretStore) async throws -> AppKeys {
        try AppKeys(try await StoredKeys.read(from: secrets))
    }

    init(_ stored: StoredKeys) throws {
        func text(_ name: String) throws(Fault) -> Secret<String> {
            guard let text = stored.text(name) else { throw Fault(.appNotEnrolled) }
            return text
        }
        guard let atRest = stored.values[Name.atRest] else { throw Fault(.appNotEnrolled) }
        let others = try stored.values.keys.sorted().filter { $0.hasPrefix(Name.encryption + ".") }.map { name in
            let text = try text(name)
            let ends = try JSONValue(parsing: text.unmasked)["exp"]?.integerValue
            return OtherDecryptionKey(
                key: try DecryptionKey(privateJWK: text), ends: ends.map(Timestamp.init(seconds:)))
        }
        let formers = try stored.values.keys.sorted().filter { $0.hasPrefix(Name.command + ".former.") }.map { name in
            let jwk = try JSONValue(parsing: try text(name).unmasked)
            return FormerKey(
                try VerificationKey(pinned: try JWK(jwk)), ends: Timestamp(seconds: jwk["exp"]?.integerValue ?? 0))
        }
        let formerOAuth = try stored.values.keys.sorted().filter { $0.hasPrefix(Name.oauth + ".former.") }.map { name in
            let text = try text(name)
            let ends = try JSONValue(parsing: text.unmasked)["exp"]?.integerValue ?? 0
            return FormerOAuthKey(key: try SigningKey(pinnablePrivateJWK: text), ends: Timestamp(seconds: ends))
        }
        self.init(
            command: try SigningKey(pinnablePrivateJWK: try text(Name.command)),
            encryption: try DecryptionKey(privateJWK: try text(Name.encryption)),
            oauth: try SigningKey(pinnablePrivateJWK: try text(Name.oauth)), atRest: atRest, otherEncryption: others,
            formerCommand: formers, formerOAuth: formerOAuth)
    }

    /// Writes the keys in use into the app's secrets.
    package func save(to secrets: any SecretStore) async throws {
        try await secrets.write(Name.command, StoredKeys.bytes(try command.privateJWK()))
        try await secrets.write(Name.encryption, StoredKeys.bytes(try encryption.privateJWK()))
        try await secrets.write(Name.oauth, StoredKeys.bytes(try oauth.privateJWK()))
        try await secrets.write(Name.atRest, atRest)
    }
}

/// All keys of an app, unparsed, as they stood at one moment.
struct StoredKeys: Sendable, Equatable {
    let values: [String: Secret<[UInt8]>]

    /// Reads them. A change of keys adds or removes a name at each step that matters, so the same names before and
    /// after say that nothing has been missed.
    static func read(from secrets: any SecretStore) async throws -> StoredKeys {
        var names = try await secrets.names()
        while true {
            var values: [String: Secret<[UInt8]>] = [:]
            for name in names where name.hasPrefix(AppKeys.Name.prefix) {
                values[name] = try await secrets.read(name)
            }
            let after = try await secrets.names()
            if after == names { return StoredKeys(values: values) }
            names = after
        }
    }

    func text(_ name: String) -> Secret<String>? {
        values[name].map { Secret(String(decoding: $0.unmasked, as: UTF8.self)) }
    }

    static func bytes(_ text: Secret<String>) -> Secret<[UInt8]> { Secret(Array(text.unmasked.utf8)) }
}
