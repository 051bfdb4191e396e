package import Basics
package import JOSE
package import Platform
import Synchronization

/// One secret group as one app sees it: a folder of the home whose member list the identity provider signs.
///
/// The list is read and checked anew for every item, so a removal holds from the moment it is written.
package final class FileSharedSecretStore: SharedSecretStore {
    private struct Seen {
        var members: GroupMembers
        var key: Secret<[UInt8]>?
    }

    private let folder: GroupFolder
    private let app: String
    private let decryptionKeys: [DecryptionKey]
    private let keeperKeys: [VerificationKey]
    private let store: SQLiteStore
    private let items: GroupItems
    private let seen = Mutex<Seen?>(nil)

    /// Opens a group that its keeper has made; membership is judged when an item is left or taken.
    ///
    /// - Parameters:
    ///   - directory: the group's folder, `groups/NAME` in the home.
    ///   - decryptionKeys: the app's own; the list names the public half of one.
    ///   - keeperKeys: the identity provider's command keys, as the app has them pinned.
    /// - Throws: `not-group-member` when there is no such group; what `PrivateDirectory` and `SQLiteStore` throw.
    package init(
        directory: String, group: String, app: String, decryptionKeys: [DecryptionKey], keeperKeys: [VerificationKey]
    ) throws {
        try GroupName.require(group)
        try GroupName.require(app)
        guard try FileStatus.of(path: directory) != nil else {
            throw Fault(.notGroupMember, "There is no secret group \(group) in this home.")
        }
        folder = GroupFolder(directory: try PrivateDirectory(existing: directory), group: group)
        self.app = app
        self.decryptionKeys = decryptionKeys
        self.keeperKeys = keeperKeys
        store = try SQLiteStore(path: folder.itemsPath)
        items = GroupItems(store: store, group: group)
    }

    /// Leaves an item for its owner.
    ///
    /// - Throws: `not-group-member` when this app or the owner is not in the list; `group-list-refused` or
    ///   `group-key-refused` when the list or the key is not the keeper's.
    package func put(_ item: SharedSecret) async throws {
        // Once more when the keeper has written a new list between our reading and our writing.
        for _ in 0..<3 {
            let (members, key) = try membership()
            guard members.members[item.owner] != nil else { throw Fault(.notGroupMember, detail: item.owner) }
            do {
                return try await items.put(item, version: members.version, key: key)
            } catch is GroupItems.Outdated {}
        }
        throw Fault(.groupListRefused, detail: "older than the version that the items are of")
    }

    /// Takes and deletes the item that was left for this app under that name.
    ///
    /// - Throws: as `put`, and `group-item-refused` when the item was changed.
    package func take(_ name: String, now: Timestamp) async throws -> SharedSecret? {
        let (members, key) = try membership()
        return try await items.take(name, owner: app, now: now, version: members.version, key: key)
    }

    /// Finishes what is being written and closes the items.
    package func close() async { await store.close() }

    /// The list that holds now, and its key, for a member.
    private func membership() throws -> (GroupMembers, Secret<[UInt8]>) {
        // The keeper writes keys before the list and removes old ones after it: a miss means that a newer list came.
        for _ in 0..<3 {
            guard let members = try folder.members(signedByOneOf: keeperKeys) else {
                throw Fault(.groupListRefused, detail: "there is none")
            }
            guard let own = members.members[app] else { throw Fault(.notGroupMember, detail: app) }
            guard decryptionKeys.contains(where: { $0.thumbprint == own.thumbprint }) else {
                throw Fault(.groupKeyRefused, detail: "the list names another key of this app")
            }
            if let key = try remembered(members) { return (members, key) }
            if let key = try folder.key(of: members, for: app, decryptionKeys) {
                seen.withLock { $0 = Seen(members: members, key: key) }
                return (members, key)
            }
        }
        throw Fault(.groupKeyRefused, detail: "no key file")
    }

    /// The key of that list, if it was opened before; refuses a list that is older than one seen before.
    private func remembered(_ members: GroupMembers) throws(Fault) -> Secret<[UInt8]>? {
        try seen.withLock { seen throws(Fault) in
            guard let last = seen else { return nil }
            guard !members.isOlder(than: last.members) else {
                throw Fault(.groupListRefused, detail: "version \(members.version) after \(last.members.version)")
            }
            return members.version == last.members.version && members.keyDigest == last.members.keyDigest
                ? last.key : nil
        }
    }
}
