package import Basics
package import JOSE
package import Platform

/// Keeps the member list of one secret group: the identity provider's side of it.
///
/// The keeper is always a member itself, because it leaves items for the others. A list is made in an order that a
/// crash cannot spoil: sealed keys first, then the signed list, then what the new list has made void is dropped.
package struct SharedSecretGroupKeeper: Sendable {
    private let path: String
    private let group: String
    private let app: String
    private let signingKey: SigningKey
    private let decryptionKey: DecryptionKey
    private let former: FormerKeys
    private let environment: Environment

    /// What the keeper signed and opened lists with before it changed its keys; they count for the list in place.
    package struct FormerKeys: Sendable {
        package var commandKeys: [VerificationKey]
        package var decryptionKeys: [DecryptionKey]

        package init(commandKeys: [VerificationKey] = [], decryptionKeys: [DecryptionKey] = []) {
            self.commandKeys = commandKeys
            self.decryptionKeys = decryptionKeys
        }
    }

    /// Names a group; nothing is made yet.
    ///
    /// - Parameters:
    ///   - directory: the group's folder, `groups/NAME` in the home.
    ///   - app: the identity provider's own app id.
    ///   - signingKey: its command key, which the members have pinned.
    ///   - decryptionKey: its key for receiving.
    ///   - former: the keys that it had before these, while they still count.
    /// - Throws: `group-name-refused`.
    package init(
        directory: String, group: String, app: String, signingKey: SigningKey, decryptionKey: DecryptionKey,
        former: FormerKeys = FormerKeys(), environment: Environment
    ) throws(Fault) {
        try GroupName.require(group)
        try GroupName.require(app)
        path = directory
        self.group = group
        self.app = app
        self.signingKey = signingKey
        self.decryptionKey = decryptionKey
        self.former = former
        self.environment = environment
    }

    /// The list as it stands, if the group has been made.
    ///
    /// - Throws: `group-list-refused` when it is not this keeper's.
    package func members() throws -> GroupMembers? {
        guard try FileStatus.of(path: path) != nil else { return nil }
        return try folder(PrivateDirectory(existing: path)).members(signedByOneOf: keeperKeys)
    }

    /// Makes the group, or changes who belongs to it.
    ///
    /// When a member leaves, or has another key than before, a new group key begins and the items are dropped; when
    /// apps only join, they get the present key and the items stay.
    ///
    /// - Parameter rotated: members whose new key came in good order, and whose old one nobody else knows: the group key
    ///   and the items stay. The keeper is one of them where it has former keys.
    /// - Throws: `group-list-refused` when the list in place is not this keeper's: `renew` is for that.
    @discardableResult
    package func update(
        members wanted: [String: EncryptionKey], rotated: Set<String> = []
    ) async throws -> GroupMembers {
        let rotated = former.decryptionKeys.isEmpty ? rotated : rotated.union([app])
        return try await change(to: wanted) { folder, last, wanted in
            guard let present = try folder.members(signedByOneOf: keeperKeys) else {
                return try begin(after: last, wanted)
            }
            let isOwn = (try? folder.members(signedBy: signingKey.verificationKey)) != nil
            if isOwn, present.members == wanted { return (present, nil) }
            let isKept = present.members.allSatisfy { app, key in
                wanted[app] == key || wanted[app] != nil && rotated.contains(app)
            }
            guard isKept else { return try begin(after: max(present.version, last), wanted) }
            guard
                let key = try folder.key(of: present, for: app, [decryptionKey] + former.decryptionKeys)
            else { throw Fault(.groupKeyRefused, detail: "the keeper's own key file is missing") }
            let joined = GroupMembers(
                group: group, version: present.version, revision: present.revision + 1, keyDigest: present.keyDigest,
                members: wanted)
            return (joined, key)
        }
    }

    /// Begins anew, with a new key and no items, whatever is in the folder.
    ///
    /// For a damaged group, and after a key of the identity provider's that others may know.
    @discardableResult
    package func renew(members wanted: [String: EncryptionKey]) async throws -> GroupMembers {
        try await change(to: wanted) { _, last, wanted in try begin(after: last, wanted) }
    }

    private var keeperKeys: [VerificationKey] { [signingKey.verificationKey] + former.commandKeys }

    private typealias Change = (members: GroupMembers, key: Secret<[UInt8]>?)

    /// A new group key, under a version above every one that was used.
    private func begin(after version: Int64, _ wanted: [String: EncryptionKey]) throws -> Change {
        let key = Secret(environment.randomBytes(32))
        let members = GroupMembers(
            group: group, version: version + 1, revision: 1, keyDigest: GroupFolder.digest(of: key), members: wanted)
        return (members, key)
    }

    private func change(
        to others: [String: EncryptionKey],
        _ decide: @escaping @Sendable (GroupFolder, Int64, [String: EncryptionKey]) throws -> Change
    ) async throws -> GroupMembers {
        for app in others.keys { try GroupName.require(app) }
        var wanted = others
        wanted[app] = decryptionKey.encryptionKey
        let all = wanted
        let folder = folder(try PrivateDirectory(creating: path))
        let store = try SQLiteStore(path: folder.itemsPath)
        do {
            let members = try await apply(all, to: folder, GroupItems(store: store, group: group), decide)
            await store.close()
            return members
        } catch {
            await store.close()
            throw error
        }
    }

    private func apply(
        _ wanted: [String: EncryptionKey], to folder: GroupFolder, _ items: GroupItems,
        _ decide: @escaping @Sendable (GroupFolder, Int64, [String: EncryptionKey]) throws -> Change
    ) async throws -> GroupMembers {
        let members = try await environment.offload {
            try folder.directory.withLock {
                let last = max(try items.version(), try folder.highestKeyVersion())
                let (members, key) = try decide(folder, last, wanted)
                if let key {
                    for (app, encryptionKey) in members.members.sorted(by: { $0.key < $1.key }) {
                        try folder.writeKey(key, version: members.version, to: app, encryptionKey)
                    }
                    try folder.write(members, signedBy: signingKey)
                }
                return members
            }
        }
        // Done even when nothing has changed: the last change may have been cut off before it.
        try await items.begin(version: members.version)
        try await environment.offload {
            try folder.removeKeys(exceptOf: members.version)
            try folder.removeKeys(of: members.version, exceptFor: members.members.keys)
        }
        return members
    }

    private func folder(_ directory: PrivateDirectory) -> GroupFolder {
        GroupFolder(directory: directory, group: group)
    }
}
