import Basics
import JOSE
import Platform

/// The items of one secret group: rows whose every column is bound to the sealed value.
struct GroupItems: Sendable {
    /// The list has moved on since the caller read it.
    struct Outdated: Error {}

    private static let kind = RecordKind("item")
    private static let versionKind = RecordKind("group")
    private static let versionKey = "version"

    let store: any RecordStore
    let group: String

    /// Seals an item and leaves it.
    ///
    /// - Throws: `Outdated` when the keeper has begun a newer version meanwhile.
    func put(_ item: SharedSecret, version: Int64, key: Secret<[UInt8]>) async throws {
        let context = context(item.name, item.owner, version, item.expires)
        let record = Record(
            kind: GroupItems.kind, key: item.name, family: String(version), condition: item.owner,
            expires: item.expires,
            value: try SealedBox.seal(item.value.unmasked, key: key, associatedData: context))
        try await store.write(.full) { transaction in
            // A member that was just removed knows the old key: nothing may be sealed with it any more.
            if try GroupItems.version(in: transaction) > version { throw Outdated() }
            try transaction.put(record)
        }
    }

    /// Takes the item of that name and owner; one that has expired, or is of another version, is gone as well.
    ///
    /// - Throws: `group-item-refused` when it was changed.
    func take(
        _ name: String, owner: String, now: Timestamp, version: Int64, key: Secret<[UInt8]>
    ) async throws -> SharedSecret? {
        let taken = try await store.write(.full) { transaction in
            let record = try transaction.take(GroupItems.kind, name, condition: owner)
            try transaction.purge(GroupItems.kind, expiredBefore: now)
            return record
        }
        guard let taken, let expires = taken.expires, now < expires, taken.family == String(version) else { return nil }
        do {
            let context = context(name, owner, version, expires)
            let value = try SealedBox.open(taken.value, key: key, associatedData: context)
            return SharedSecret(name: name, owner: owner, expires: expires, value: Secret(value))
        } catch {
            throw Fault(.groupItemRefused, underlying: error)
        }
    }

    /// Drops all items of other versions, and lets no older one in from now on.
    func begin(version: Int64) async throws {
        try await store.write(.full) { transaction in
            try transaction.put(
                Record(
                    kind: GroupItems.versionKind, key: GroupItems.versionKey, value: Array(String(version).utf8)))
            for record in try transaction.list(GroupItems.kind) where record.family != String(version) {
                try transaction.remove(GroupItems.kind, record.key)
            }
        }
    }

    /// The version that items must be of, or 0 before the first.
    func version() throws -> Int64 { try store.read { try GroupItems.version(in: $0) } }

    private static func version(in records: borrowing some RecordReading & ~Copyable) throws -> Int64 {
        guard let record = try records.find(versionKind, versionKey) else { return 0 }
        return Int64(String(decoding: record.value, as: UTF8.self)) ?? .max
    }

    private func context(_ name: String, _ owner: String, _ version: Int64, _ expires: Timestamp) -> [UInt8] {
        SealingContext.bytes("group-item", group, name, owner, String(version), String(expires.microseconds))
    }
}
