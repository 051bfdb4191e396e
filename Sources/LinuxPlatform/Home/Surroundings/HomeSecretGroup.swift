package import Basics
import JOSE
package import Platform

/// A secret group of a home as one app sees it, opened when it is first used: the app's keys, or the group itself, may
/// be made after the app has started. Keys that change while it runs count from the next use.
package actor HomeSecretGroup: SharedSecretStore {
    /// Names under which every app keeps its keys, as JWK text; what is about to be used, or was, has a longer name.
    enum KeyName {
        static let command = "key.command"
        static let encryption = "key.encryption"
    }

    /// What the group was opened with.
    private struct Means: Equatable {
        var own: [String: Secret<[UInt8]>]
        var keepers: [VerificationKey]
    }

    private let home: Home
    private let directory: String
    private let group: String
    private let manifest: AppManifest
    private let secrets: any SecretStore
    private let now: @Sendable () -> Timestamp
    private var opened: (store: FileSharedSecretStore, means: Means)?
    /// Opened before the keys changed, and perhaps still in use.
    private var former: [FileSharedSecretStore] = []
    private var isClosed = false

    init(
        _ group: String, in home: Home, manifest: AppManifest, secrets: any SecretStore,
        now: @escaping @Sendable () -> Timestamp
    ) throws(Fault) {
        try GroupName.require(group)
        self.home = home
        directory = home.layout.group(group)
        self.group = group
        self.manifest = manifest
        self.secrets = secrets
        self.now = now
    }

    package func put(_ item: SharedSecret) async throws { try await store().put(item) }

    package func take(_ name: String, now: Timestamp) async throws -> SharedSecret? {
        try await store().take(name, now: now)
    }

    /// Closes the group; it refuses all later use.
    package func close() async {
        isClosed = true
        for store in former + (opened.map { [$0.store] } ?? []) { await store.close() }
    }

    private func store() async throws -> FileSharedSecretStore {
        let means = Means(own: try await keys(KeyName.encryption), keepers: try await keeperKeys())
        // Others may have come here while we waited; one store is enough.
        if let opened, opened.means == means { return opened.store }
        guard !isClosed else { throw Fault(.storeUnavailable, "The secret group has been closed.") }
        let store = try FileSharedSecretStore(
            directory: directory, group: group, app: manifest.id,
            decryptionKeys: try means.own.sorted { $0.key < $1.key }.map {
                try DecryptionKey(privateJWK: text($0.value))
            },
            keeperKeys: means.keepers)
        if let opened { former.append(opened.store) }
        opened = (store, means)
        return store
    }

    /// The keys that the member list may be signed with: the identity provider's own, or those that a client pins now.
    private func keeperKeys() async throws -> [VerificationKey] {
        if manifest.role == .identityProvider {
            return try await keys(KeyName.command).sorted { $0.key < $1.key }.map { key in
                try VerificationKey(pinned: try publicPart(of: text(key.value)))
            }
        }
        let pins = try home.manifest(of: manifest.id).identityProviders
        guard !pins.isEmpty else {
            throw Fault(.notGroupMember, "The app trusts no identity provider, so none can have put it into a group.")
        }
        let now = now()
        return try pins.flatMap { pin in
            let keys = [pin.commandKey] + pin.formerCommandKeys.filter { now < $0.ends }.map(\.key)
            return try keys.map { try VerificationKey(pinned: try JWK($0)) }
        }
    }

    /// The app's keys of that name, with those that wait to be used and those that were.
    private func keys(_ name: String) async throws -> [String: Secret<[UInt8]>] {
        var keys: [String: Secret<[UInt8]>] = [:]
        for each in try await secrets.names() where each == name || each.hasPrefix(name + ".") {
            keys[each] = try await secrets.read(each)
        }
        guard keys[name] != nil else {
            throw Fault(
                .appMissing, "\(manifest.id) has no keys in this home.",
                next:
                    "Enrol it with: countersign-idp apps add \(manifest.id) --scheme \(manifest.schemes.first ?? manifest.id)"
            )
        }
        return keys
    }

    private nonisolated func text(_ bytes: Secret<[UInt8]>) -> Secret<String> {
        Secret(String(decoding: bytes.unmasked, as: UTF8.self))
    }

    /// The public half of a command key, whether the private one is there as well or not.
    private nonisolated func publicPart(of text: Secret<String>) throws -> JWK {
        let members = try JSONValue(parsing: text.unmasked)
        return members["d"] == nil
            ? try JWK(members) : try SigningKey(pinnablePrivateJWK: text).verificationKey.jwk
    }
}
