package import Basics

/// Where records are kept. A write is a synchronous closure over a transaction that cannot outlive it.
///
/// Every conformance passes `RecordStoreConformance` in PlatformTests and LinuxPlatformTests.
package protocol RecordStore: Sendable {
    /// Runs `body` in one transaction and returns after it is as durable as asked.
    ///
    /// A body that throws leaves no trace. A cancelled caller's write is finished all the same, never half.
    func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result

    /// Runs `body` over the records as they are now, in place.
    func read<Result: Sendable>(_ body: @Sendable (borrowing Snapshot) throws -> Result) throws -> Result
}

/// What a store gives a transaction to work on: the few verbs of storage.
package protocol RecordBacking {
    /// The row of that key.
    func find(_ kind: RecordKind, _ key: String) throws -> Record?
    /// All rows of the kind, or of one family of it, sorted by key.
    func list(_ kind: RecordKind, family: String?) throws -> [Record]
    /// Writes the row, whether there was one or not.
    func put(_ record: Record) throws
    /// Writes the row only where there is none; says whether it did.
    func insert(_ record: Record) throws -> Bool
    /// Removes and returns the row, if its condition equals `condition`; a miss changes nothing.
    func take(_ kind: RecordKind, _ key: String, condition: String?) throws -> Record?
    /// Removes the row; says whether there was one.
    func remove(_ kind: RecordKind, _ key: String) throws -> Bool
    /// Removes all rows of the family within the kind and returns how many.
    func removeFamily(_ kind: RecordKind, _ family: String) throws -> Int
    /// Removes rows that expired before `instant` and returns the largest expiry removed.
    func purge(_ kind: RecordKind, expiredBefore instant: Timestamp) throws -> Timestamp?
}

/// A read-only view of the records, valid only inside the closure that gets it.
package struct Snapshot: ~Copyable {
    let backing: any RecordBacking

    package init(_ backing: any RecordBacking) { self.backing = backing }
}

/// The records inside one transaction, valid only inside the closure that gets it.
package struct Transaction: ~Copyable {
    package let backing: any RecordBacking

    package init(_ backing: any RecordBacking) { self.backing = backing }
}

/// What can be read from: a snapshot, or a transaction.
package protocol RecordReading: ~Copyable {
    /// The row of that key.
    func find(_ kind: RecordKind, _ key: String) throws -> Record?
    /// All rows of the kind, or of one family of it, sorted by key.
    func list(_ kind: RecordKind, family: String?) throws -> [Record]
}

extension Snapshot: RecordReading {
    package func find(_ kind: RecordKind, _ key: String) throws -> Record? { try backing.find(kind, key) }
    package func list(_ kind: RecordKind, family: String? = nil) throws -> [Record] {
        try backing.list(kind, family: family)
    }
}

extension Transaction: RecordReading {
    package func find(_ kind: RecordKind, _ key: String) throws -> Record? { try backing.find(kind, key) }
    package func list(_ kind: RecordKind, family: String? = nil) throws -> [Record] {
        try backing.list(kind, family: family)
    }
    package func put(_ record: Record) throws { try backing.put(record) }
    package func insert(_ record: Record) throws -> Bool { try backing.insert(record) }
    package func take(_ kind: RecordKind, _ key: String, condition: String? = nil) throws -> Record? {
        try backing.take(kind, key, condition: condition)
    }
    @discardableResult
    package func remove(_ kind: RecordKind, _ key: String) throws -> Bool { try backing.remove(kind, key) }
    @discardableResult
    package func removeFamily(_ kind: RecordKind, _ family: String) throws -> Int {
        try backing.removeFamily(kind, family)
    }
    @discardableResult
    package func purge(_ kind: RecordKind, expiredBefore instant: Timestamp) throws -> Timestamp? {
        try backing.purge(kind, expiredBefore: instant)
    }
}
