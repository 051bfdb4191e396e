package import Basics
import JOSE
package import Platform

/// A secret group of a home as one app sees it, opened when it is first used: the app's keys, or the group itself, may
/// be made after the app has started.
package actor HomeSecretGroup: SharedSecretStore {
    /// Names under which every app keeps its keys, as JWK text.
    enum KeyName {
        static let command = "key.command"
        static let encryption = "key.encryption"
    }

    private let directory: String
    private let group: String
    private let manifest: AppManifest
    private let secrets: any SecretStore
    private var opened: FileSharedSecretStore?
    private var isClosed = false

    init(_ group: String, in home: Home, manifest: AppManifest, secrets: any SecretStore) throws(Fault) {
        try GroupName.require(group)
        directory = home.layout.group(group)
        self.group = group
        self.manifest = manifest
        self.secrets = secrets
    }

    package func put(_ item: SharedSecret) async throws { try await store().put(item) }

    package func take(_ name: String, now: Timestamp) async throws -> SharedSecret? {
        try await store().take(name, now: now)
    }

    /// Closes the group; it refuses all later use.
    package func close() async {
        isClosed = true
        await opened?.close()
    }

    private func store() async throws -> FileSharedSecretStore {
        if let opened { return opened }
        let text = try await secretText(KeyName.encryption)
        let keeperKey = try await keeperKey()
        // Others may have come here while we waited; one store is enough.
        if let opened { return opened }
        guard !isClosed else { throw Fault(.storeUnavailable, "The secret group has been closed.") }
        let store = try FileSharedSecretStore(
            directory: directory, group: group, app: manifest.id, decryptionKey: try DecryptionKey(privateJWK: text),
            keeperKey: keeperKey)
        opened = store
        return store
    }

    /// The key that the member list must be signed with: the identity provider's own, or the one that a client pins.
    private func keeperKey() async throws -> VerificationKey {
        if manifest.role == .identityProvider {
            let text = try await secretText(KeyName.command)
            return try SigningKey(pinnablePrivateJWK: text).verificationKey
        }
        let pinned = try manifest.identityProviders.map { provider in
            try VerificationKey(pinned: try JWK(provider.commandKey))
        }
        guard let first = pinned.first else {
            throw Fault(.notGroupMember, "The app trusts no identity provider, so none can have put it into a group.")
        }
        guard pinned.count > 1, try FileStatus.of(path: directory) != nil else { return first }
        // Which of several keeps this group, its list tells; an unsigned list is refused by the store.
        let folder = GroupFolder(directory: try PrivateDirectory(existing: directory), group: group)
        return pinned.first { key in (try? folder.members(signedBy: key)) != nil } ?? first
    }

    private func secretText(_ name: String) async throws -> Secret<String> {
        guard let bytes = try await secrets.read(name) else {
            throw Fault(
                .appMissing, "\(manifest.id) has no keys in this home.",
                next: "Enrol it with: countersign-idp apps add \(manifest.id)")
        }
        return Secret(String(decoding: bytes.unmasked, as: UTF8.self))
    }
}
