package import Basics
package import Handoff
import IdentityBroker
import IdentityClient
package import JOSE
import OpenIDConnect
import OpenIDProvider
import Platform
import Synchronization

/// New keys for the apps of the world, as `keys rotate` and `apps rotate` give them in a home.
extension LabWorld {
    /// Gives an app new keys for commands and for receiving, and tells those who pin it.
    ///
    /// - Parameters:
    ///   - replacesOAuth: whether a client app gets another OAuth key as well.
    ///   - ends: when the present ones end; `nil` for at once.
    /// - Returns: the command key before.
    @discardableResult
    package func rotate(
        _ id: String, to algorithm: SignatureAlgorithm = .es256, replacesOAuth: Bool = false, ends: Timestamp?
    ) async throws -> KeyThumbprint {
        let app = try app(id)
        let now = environment.now()
        let before = AppPublicKeys(try await AppKeys.load(from: app.secrets))
        let rotation = KeyRotation(secrets: app.secrets)
        let next = try KeyRotation.Next.generate(command: algorithm, replacingOAuth: replacesOAuth)
        try await rotation.prepare(next)
        let told = try before.replaced(by: next)
        if id == identityProvider.id {
            try changePins { try $0.rotated(to: told, ends: ends, now: now) }
        } else {
            try await changeRow(id) { $0 = try $0.rotated(to: told, ends: ends, now: now) }
            let (client, key) = (try ClientID(id), try ClientKey(told.oauth))
            try await providerStore.write(.full) { transaction in
                guard let row = try ProviderRegistry.client(client, in: transaction) else { return }
                try ProviderRegistry.put(client: row.rotated(to: key, ends: ends, now: now), in: transaction)
            }
        }
        try await rotation.promote(ends: ends ?? now, now: now)
        return before.command.thumbprint
    }

    /// Takes a former key away.
    package func revoke(_ key: KeyThumbprint, of id: String) async throws {
        if id == identityProvider.id {
            try changePins { pin in
                var pin = pin
                _ = try pin.revoke(key)
                return pin
            }
        } else {
            try await changeRow(id) { _ = try $0.revoke(key) }
            let (client, now) = (try ClientID(id), environment.now())
            try await providerStore.write(.full) { transaction in
                try ProviderRegistry.revoke(key: key, of: client, now: now, in: transaction)
            }
        }
    }

    /// Changes an app's row, as an edit of the registry does.
    package func changeRow(
        _ id: String, _ change: @escaping @Sendable (inout AppRegistryEntry) throws -> Void
    ) async throws {
        try await ScopedRecordStore(home, owner: "broker").write(.full) { transaction in
            guard var row = try AppRegistry.find(try AppID(id), in: transaction) else { throw Fault(.unknownClientApp) }
            try change(&row)
            try AppRegistry.put(row, in: transaction)
        }
    }

    private func changePins(
        _ change: (AppManifest.IdentityProvider) throws -> AppManifest.IdentityProvider
    ) throws {
        try pins.withLock { pins in
            for id in pins.keys.sorted() { pins[id] = try pins[id]?.map(change) }
        }
    }

    /// The manifest of an app as it is now.
    func manifest(of app: LabApp) -> AppManifest {
        var manifest = app.manifest
        manifest.identityProviders = pins.withLock { $0[app.id] } ?? manifest.identityProviders
        return manifest
    }
}
