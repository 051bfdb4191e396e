import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import LinuxPlatform
import Platform

/// The secret groups of the home. Who is a member stands in the registry; the identity provider app signs the list.
extension Device {
    /// The members of each group, by its name; a group that has lost its last one is there as well.
    func groups() throws -> [String: [AppID]] {
        var groups: [String: [AppID]] = [:]
        for name in try home.groups() { groups[name] = [] }
        for entry in try brokerStore.read({ try AppRegistry.list(in: $0) }) {
            for name in entry.secretGroups { groups[name, default: []].append(entry.id) }
        }
        return groups
    }

    /// Makes an app a member of a group, which is made where there is none. The manifests of both apps then ask for it.
    func add(_ id: AppID, to group: String) async throws {
        try GroupName.require(group)
        let (manifest, keys) = try await identityProvider()
        try await home.whileSettingUp(environment) {
            try ask(for: group, manifest)
            try ask(for: group, try home.manifest(of: id.text))
            try await changeGroups(of: id) { $0.filter { $0 != group } + [group] }
            try await updateGroups(keys)
        }
    }

    /// Ends an app's membership: a new group key begins, and what lay in the group is dropped.
    ///
    /// - Throws: `not-group-member`.
    func remove(_ id: AppID, from group: String) async throws {
        let keys = try await identityProvider().keys
        try await home.whileSettingUp(environment) {
            try await changeGroups(of: id) { groups in
                guard groups.contains(group) else { throw Fault(.notGroupMember) }
                return groups.filter { $0 != group }
            }
            try await updateGroups(keys)
        }
    }

    private func ask(for group: String, _ manifest: AppManifest) throws {
        guard !manifest.groups.contains(group) else { return }
        var manifest = manifest
        manifest.groups.append(group)
        try home.write(manifest)
    }

    private func changeGroups(of id: AppID, _ change: @escaping @Sendable ([String]) throws -> [String]) async throws {
        try await brokerStore.write(.full) { transaction in
            guard var entry = try AppRegistry.find(id, in: transaction) else { throw Fault(.unknownClientApp) }
            entry.groups = try change(entry.secretGroups)
            try AppRegistry.put(entry, in: transaction)
        }
    }

    /// Brings the signed lists to what the registry says.
    ///
    /// - Parameters:
    ///   - rotated: apps whose new key came in good order.
    ///   - isRenewed: whether a key that others may know has gone, so that new group keys begin.
    func updateGroups(_ keys: AppKeys, rotated: Set<String> = [], isRenewed: Bool = false) async throws {
        let entries = try brokerStore.read { try AppRegistry.list(in: $0) }
        let now = environment.now()
        for name in Set(try groups().keys).union([AppEnrolment.sharedGroup]).sorted() {
            var members: [String: EncryptionKey] = [:]
            for entry in entries where entry.secretGroups.contains(name) {
                members[entry.id.text] = try entry.registeredClient().peer.encryptionKey
            }
            let keeper = try SharedSecretGroupKeeper(
                directory: home.layout.group(name), group: name, app: AppEnrolment.identityProviderID,
                signingKey: keys.command, decryptionKey: keys.encryption,
                former: .init(
                    commandKeys: keys.formerCommand.filter { $0.counts(at: now) }.map(\.key),
                    decryptionKeys: Array(keys.decryptionKeys(at: now).dropFirst())),
                environment: environment)
            if isRenewed {
                try await keeper.renew(members: members)
            } else {
                try await keeper.update(members: members, rotated: rotated)
            }
        }
    }
}
