import Basics

/// A store seen through one owner's eyes: every kind gets the owner's prefix, so that a role cannot name, and so
/// cannot read, another role's rows.
package struct ScopedRecordStore: RecordStore {
    private let store: any RecordStore
    private let owner: String

    /// Wraps a store for one owner, such as `provider`.
    package init(_ store: any RecordStore, owner: String) {
        self.store = store
        self.owner = owner
    }

    package func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result {
        try await store.write(durability) { [owner] transaction in
            try body(Transaction(ScopedBacking(backing: transaction.backing, owner: owner)))
        }
    }

    package func read<Result: Sendable>(
        _ body: @Sendable (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        try store.read { [owner] snapshot in
            try body(Snapshot(ScopedBacking(backing: snapshot.backing, owner: owner)))
        }
    }
}

extension Transaction {
    /// The same transaction through one owner's eyes: for set-up, which writes two roles' rows in one commit.
    package func scoped<Result>(
        to owner: String, _ body: (borrowing Transaction) throws -> Result
    ) rethrows -> Result {
        try body(Transaction(ScopedBacking(backing: backing, owner: owner)))
    }
}

private struct ScopedBacking: RecordBacking {
    let backing: any RecordBacking
    let owner: String

    private func outer(_ kind: RecordKind) -> RecordKind { RecordKind("\(owner).\(kind.name)") }

    private func outer(_ record: Record) -> Record {
        var record = record
        record.kind = outer(record.kind)
        return record
    }

    private func inner(_ record: Record, _ kind: RecordKind) -> Record {
        var record = record
        record.kind = kind
        return record
    }

    func find(_ kind: RecordKind, _ key: String) throws -> Record? {
        try backing.find(outer(kind), key).map { inner($0, kind) }
    }
    func list(_ kind: RecordKind, family: String?) throws -> [Record] {
        try backing.list(outer(kind), family: family).map { inner($0, kind) }
    }
    func put(_ record: Record) throws { try backing.put(outer(record)) }
    func insert(_ record: Record) throws -> Bool { try backing.insert(outer(record)) }
    func take(_ kind: RecordKind, _ key: String, condition: String?) throws -> Record? {
        try backing.take(outer(kind), key, condition: condition).map { inner($0, kind) }
    }
    func remove(_ kind: RecordKind, _ key: String) throws -> Bool { try backing.remove(outer(kind), key) }
    func removeFamily(_ kind: RecordKind, _ family: String) throws -> Int {
        try backing.removeFamily(outer(kind), family)
    }
    func purge(_ kind: RecordKind, expiredBefore instant: Timestamp) throws -> Timestamp? {
        try backing.purge(outer(kind), expiredBefore: instant)
    }
}
