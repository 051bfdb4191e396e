import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import OpenIDConnect
import OpenIDProvider
import Platform

/// New keys for the identity provider app and for client apps. Those who pin them are told by an edit of their own
/// records here in the home, never by a command.
extension Device {
    /// What a change of keys came to.
    struct Rotation: Sendable {
        let keys: AppPublicKeys
        /// The command key before, where it is another.
        let former: KeyThumbprint?
        /// When the former one ends; `nil` for at once.
        let ends: Timestamp?
        /// The OAuth key before, where it is another.
        var formerOAuth: KeyThumbprint?
    }

    // MARK: - The identity provider app's own

    /// Gives the identity provider app new keys for commands and for receiving.
    ///
    /// - Parameter overlap: how long the present ones count yet; zero ends them, and what they began, at once.
    func rotateIdentityProvider(overlap: Duration, algorithm: SignatureAlgorithm?) async throws -> Rotation {
        // Made first, where the home is new: that takes the same lock.
        _ = try await identityProvider()
        let ends = end(after: overlap)
        return try await home.whileSettingUp(environment) {
            try await withSecrets(of: AppEnrolment.identityProviderID) { secrets in
                let keys = AppPublicKeys(try await AppKeys.load(from: secrets))
                let rotation = KeyRotation(secrets: secrets)
                let next = try await nextKeys(rotation, algorithm ?? SignatureAlgorithm(pinnedWith: keys.command))
                let told = try keys.replaced(by: next)
                try changePins { try $0.rotated(to: told, ends: ends, now: environment.now()) }
                try await rotation.promote(ends: ends ?? environment.now(), now: environment.now())
                try await updateGroups(try await AppKeys.load(from: secrets), isRenewed: ends == nil)
                return Rotation(keys: told, former: keys.command.thumbprint, ends: ends)
            }
        }
    }

    /// Takes a former key of the identity provider app away.
    ///
    /// - Throws: `key-in-use`, `no-such-key`.
    func revokeIdentityProviderKey(_ key: KeyThumbprint) async throws {
        let keys = try await identityProvider().keys
        guard key != keys.command.thumbprint, key != keys.encryption.thumbprint, key != keys.oauth.thumbprint else {
            throw Fault(.keyInUse, next: "Replace it at once: countersign-idp keys rotate --overlap 0s")
        }
        try await home.whileSettingUp(environment) {
            var wasThere = false
            try changePins { pin in
                var pin = pin
                if try pin.revoke(key) { wasThere = true }
                return pin
            }
            let remaining = try await withSecrets(of: AppEnrolment.identityProviderID) { secrets in
                (try await KeyRotation(secrets: secrets).drop(key), try await AppKeys.load(from: secrets))
            }
            guard wasThere || remaining.0 else { throw Fault(.noSuchKey) }
            try await updateGroups(remaining.1, isRenewed: true)
        }
    }

    /// Changes what the home's client apps pin of the identity provider app.
    private func changePins(
        _ change: (AppManifest.IdentityProvider) throws -> AppManifest.IdentityProvider
    ) throws {
        for id in try home.apps() {
            var manifest = try home.manifest(of: id)
            let before = manifest.identityProviders
            manifest.identityProviders = try before.map { pin in
                pin.id == AppEnrolment.identityProviderID && pin.issuer == issuer.text ? try change(pin) : pin
            }
            if manifest.identityProviders != before { try home.write(manifest) }
        }
    }

    // MARK: - A client app's

    /// Gives a client app new keys for commands and for receiving, and for OAuth where that is wanted.
    ///
    /// - Parameters:
    ///   - source: for an app that keeps its keys itself their public halves; its OAuth key may be another, too.
    ///   - replacesOAuth: whether an app of this home gets another OAuth key; what is bound to the present one ends with
    ///     the overlap.
    ///   - overlap: as for the identity provider app.
    /// - Throws: `unknown-app`; `app-keeps-its-keys` where its keys are not made here.
    func rotate(
        _ id: AppID, overlap: Duration, source: KeySource?, replacesOAuth: Bool = false
    ) async throws -> Rotation {
        let ends = end(after: overlap)
        let providerKeys = try await identityProvider().keys
        return try await home.whileSettingUp(environment) {
            let entry = try registered(id)
            let former = try AppPublicKeys(entry)
            let told: AppPublicKeys
            if case .own(let keys) = source {
                told = keys
                try await change(entry, to: told, ends)
            } else {
                guard try home.hasSecrets(of: id.text) else { throw Fault(.appKeepsItsKeys) }
                var algorithm = entry.commandAlgorithm
                if case .made(let wanted) = source { algorithm = wanted }
                told = try await withSecrets(of: id.text) { [algorithm] secrets in
                    let rotation = KeyRotation(secrets: secrets)
                    let told = try former.replaced(
                        by: try await nextKeys(rotation, algorithm, replacesOAuth: replacesOAuth))
                    try await change(entry, to: told, ends)
                    try await rotation.promote(ends: ends ?? environment.now(), now: environment.now())
                    return told
                }
                try await exportKeys(of: id)
            }
            let rotated: Set<String> = ends == nil ? [] : [id.text]
            try await updateGroups(providerKeys, rotated: rotated, isRenewed: ends == nil)
            return Rotation(
                keys: told, former: former.command == told.command ? nil : former.command.thumbprint, ends: ends,
                formerOAuth: former.oauth == told.oauth ? nil : former.oauth.thumbprint)
        }
    }

    /// Takes a former key of a client app away: its commands are refused from now on, and the logins that it began end.
    ///
    /// - Throws: `unknown-app`, `key-in-use`, `no-such-key`.
    func revoke(_ key: KeyThumbprint, of id: AppID) async throws {
        let providerKeys = try await identityProvider().keys
        var entry = try registered(id)
        let present = try AppPublicKeys(entry)
        guard ![present.command, present.encryption, present.oauth].contains(where: { $0.thumbprint == key }) else {
            throw Fault(.keyInUse, next: "Replace it at once: countersign-idp apps rotate \(id) --overlap 0s")
        }
        let wasPinned = try entry.revoke(key)
        try await home.whileSettingUp(environment) { [entry] in
            let hasSecrets = try home.hasSecrets(of: id.text)
            let wasKept =
                hasSecrets
                ? try await withSecrets(of: id.text) { try await KeyRotation(secrets: $0).drop(key) } : false
            guard wasPinned || wasKept else { throw Fault(.noSuchKey) }
            let now = environment.now()
            try await records.write(.full) { transaction in
                try transaction.scoped(to: "provider") { provider in
                    try ProviderRegistry.revoke(key: key, of: entry.clientID, now: now, in: provider)
                }
                try transaction.scoped(to: "broker") { try AppRegistry.put(entry, in: $0) }
            }
            try await updateGroups(providerKeys, isRenewed: true)
        }
    }

    private func registered(_ id: AppID) throws -> AppRegistryEntry {
        guard let entry = try brokerStore.read({ try AppRegistry.find(id, in: $0) }) else {
            throw Fault(.unknownClientApp)
        }
        return entry
    }

    /// Both registries in one commit, and the certificate of the new command key.
    private func change(_ entry: AppRegistryEntry, to keys: AppPublicKeys, _ ends: Timestamp?) async throws {
        let now = environment.now()
        let row = try entry.rotated(to: keys, ends: ends, now: now)
        let oauth = try ClientKey(keys.oauth, algorithm: row.oauthAlgorithm)
        try await records.write(.full) { transaction in
            try transaction.scoped(to: "provider") { provider in
                guard let client = try ProviderRegistry.client(row.clientID, in: provider) else { return }
                try ProviderRegistry.put(client: client.rotated(to: oauth, ends: ends, now: now), in: provider)
            }
            try transaction.scoped(to: "broker") { try AppRegistry.put(row, in: $0) }
        }
        let certificate = try await home.issueAppCertificate(for: row.id.text, key: keys.command, environment)
        try home.write(certificate, of: row.id.text)
    }

    // MARK: - Steps

    /// The keys that a change that was cut off has prepared, else new ones, prepared now.
    private func nextKeys(
        _ rotation: KeyRotation, _ algorithm: SignatureAlgorithm, replacesOAuth: Bool = false
    ) async throws -> KeyRotation.Next {
        let prepared = try await rotation.prepared()
        if let prepared, prepared.oauth != nil || !replacesOAuth { return prepared }
        let next = try await environment.offload {
            try prepared?.replacingOAuth()
                ?? KeyRotation.Next.generate(command: algorithm, replacingOAuth: replacesOAuth)
        }
        try await rotation.prepare(next)
        return next
    }

    /// The end of an overlap in whole seconds, as files and keys have it.
    private func end(after overlap: Duration) -> Timestamp? {
        overlap > .zero ? Timestamp(seconds: (environment.now() + overlap).seconds) : nil
    }
}
