package import Basics
package import JOSE
package import Platform

/// The change of an app's keys, in an order that a crash cannot spoil:
///
/// 1. `prepare`: the new keys are saved; from now on the app opens what is encrypted to them.
/// 2. Whoever pins the app is told (by an edit of his registry, never by a command), with the date of the old ones' end.
/// 3. `promote`: the app signs with the new keys. The old ones open commands until that date, and so long an OAuth key
///    proves what is bound to it.
///
/// Each step can be done again, so a change that was cut off is finished by the next call.
package struct KeyRotation: Sendable {
    /// Keys that are to replace those in use.
    package struct Next: Sendable {
        package let command: SigningKey
        package let encryption: DecryptionKey
        /// Only where it is to be replaced as well: the logins that are bound to the present one do not outlive it.
        package private(set) var oauth: SigningKey?

        /// Makes new keys.
        package static func generate(
            command: SignatureAlgorithm, replacingOAuth: Bool = false
        ) throws(Fault) -> Next {
            let next = Next(command: try SigningKey.generate(command), encryption: try DecryptionKey.generate())
            return replacingOAuth ? try next.replacingOAuth() : next
        }

        /// The same keys with a new OAuth key, where there is none among them yet.
        package func replacingOAuth() throws(Fault) -> Next {
            var next = self
            if next.oauth == nil { next.oauth = try SigningKey.generate(.es256) }
            return next
        }

        fileprivate init(command: SigningKey, encryption: DecryptionKey, oauth: SigningKey? = nil) {
            self.command = command
            self.encryption = encryption
            self.oauth = oauth
        }
    }

    private let secrets: any SecretStore

    package init(secrets: any SecretStore) { self.secrets = secrets }

    /// The keys that were prepared and are not in use yet.
    package func prepared() async throws -> Next? {
        let stored = try await StoredKeys.read(from: secrets)
        guard let command = stored.text(AppKeys.Name.nextCommand),
            let encryption = stored.text(AppKeys.Name.nextEncryption)
        else { return nil }
        return Next(
            command: try SigningKey(pinnablePrivateJWK: command), encryption: try DecryptionKey(privateJWK: encryption),
            oauth: try stored.text(AppKeys.Name.nextOAuth).map { try SigningKey(pinnablePrivateJWK: $0) })
    }

    /// Saves the keys to come.
    package func prepare(_ next: Next) async throws {
        if let oauth = next.oauth {
            try await secrets.write(AppKeys.Name.nextOAuth, StoredKeys.bytes(try oauth.privateJWK()))
        } else {
            // One that a change which was cut off has left would come into use, and nobody was told of it.
            _ = try await secrets.remove(AppKeys.Name.nextOAuth)
        }
        try await secrets.write(AppKeys.Name.nextEncryption, StoredKeys.bytes(try next.encryption.privateJWK()))
        // The command key last: with it the keys are complete.
        try await secrets.write(AppKeys.Name.nextCommand, StoredKeys.bytes(try next.command.privateJWK()))
    }

    /// Puts the prepared keys in use, and those before them on their last days.
    ///
    /// - Parameter ends: when the keys in use now end; in whole seconds.
    package func promote(ends: Timestamp, now: Timestamp) async throws {
        guard let next = try await prepared() else { return }
        let keys = try await AppKeys.load(from: secrets)
        if keys.encryption.thumbprint != next.encryption.thumbprint {
            try await keep(
                try keys.encryption.privateJWK(), as: AppKeys.Name.formerEncryption(keys.encryption.thumbprint), ends)
            try await secrets.write(AppKeys.Name.encryption, StoredKeys.bytes(try next.encryption.privateJWK()))
        }
        if keys.command.thumbprint != next.command.thumbprint {
            let text = Secret(keys.command.verificationKey.jwk.json.serializedText)
            try await keep(text, as: AppKeys.Name.formerCommand(keys.command.thumbprint), ends)
            try await secrets.write(AppKeys.Name.command, StoredKeys.bytes(try next.command.privateJWK()))
        }
        if let oauth = next.oauth, keys.oauth.thumbprint != oauth.thumbprint {
            try await keep(try keys.oauth.privateJWK(), as: AppKeys.Name.formerOAuth(keys.oauth.thumbprint), ends)
            try await secrets.write(AppKeys.Name.oauth, StoredKeys.bytes(try oauth.privateJWK()))
        }
        _ = try await secrets.remove(AppKeys.Name.nextCommand)
        _ = try await secrets.remove(AppKeys.Name.nextEncryption)
        if next.oauth != nil { _ = try await secrets.remove(AppKeys.Name.nextOAuth) }
        try await purge(now: now)
    }

    /// The keys on their last days: thumbprint, what it is for, and the end of each.
    package func former() async throws -> [(thumbprint: KeyThumbprint, use: String, ends: Timestamp)] {
        let stored = try await StoredKeys.read(from: secrets)
        return try stored.values.keys.sorted().filter { $0.contains(".former.") }.compactMap { name in
            let parts = name.split(separator: ".").map(String.init)
            guard let text = stored.text(name), let ends = try JSONValue(parsing: text.unmasked)["exp"]?.integerValue,
                parts.count == 4
            else { return nil }
            return (try KeyThumbprint(parts[3]), parts[1], Timestamp(seconds: ends))
        }
    }

    /// Takes a former key away before its end; says whether there was one.
    package func drop(_ key: KeyThumbprint) async throws -> Bool {
        let command = try await secrets.remove(AppKeys.Name.formerCommand(key))
        let encryption = try await secrets.remove(AppKeys.Name.formerEncryption(key))
        let oauth = try await secrets.remove(AppKeys.Name.formerOAuth(key))
        return command || encryption || oauth
    }

    /// Removes the keys whose end has come.
    private func purge(now: Timestamp) async throws {
        for former in try await former() where former.ends <= now { _ = try await drop(former.thumbprint) }
    }

    private func keep(_ jwk: Secret<String>, as name: String, _ ends: Timestamp) async throws {
        guard var members = try JSONValue(parsing: jwk.unmasked).objectValue else { throw Fault(.internalFault) }
        members["exp"] = .integer(ends.seconds)
        try await secrets.write(name, StoredKeys.bytes(Secret(JSONValue.object(members).serializedText)))
    }
}
