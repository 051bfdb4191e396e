import Basics
import Synchronization

/// Records in memory: for tests and simulations. They live as long as the store, whatever happens to its user.
package final class InMemoryRecordStore: RecordStore {
    private let rows = Mutex(Rows())
    // Held while a body runs, so that writes follow each other; a read takes the rows as they are and never waits.
    private let writing = Mutex(())

    package init() {}

    /// Runs `body` in place between two scheduling points: a caller that is stopped at the first has written nothing,
    /// one that is stopped at the second has written all and does not know it.
    package func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result {
        await Task.yield()
        let outcome = Swift.Result { try commit(body) }
        await Task.yield()
        return try outcome.get()
    }

    private func commit<Result: Sendable>(
        _ body: @Sendable (borrowing Transaction) throws -> Result
    ) throws -> Result {
        try writing.withLock { _ in
            let draft = InMemoryRecords(rows.withLock { $0 })
            let result = try body(Transaction(draft))
            let changed = draft.rows
            rows.withLock { $0 = changed }
            return result
        }
    }

    package func read<Result: Sendable>(
        _ body: @Sendable (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        try body(Snapshot(InMemoryRecords(rows.withLock { $0 })))
    }
}

/// Text compared by its bytes, as a database does: Swift's own comparison takes two spellings of é for one.
private struct ExactText: Hashable, Comparable, Sendable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    static func < (left: ExactText, right: ExactText) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

private typealias Rows = [RecordKind: [ExactText: Record]]

/// A draft of all rows. A value inside, so that dropping the draft is the rollback.
private final class InMemoryRecords: RecordBacking {
    var rows: Rows

    init(_ rows: Rows) { self.rows = rows }

    func find(_ kind: RecordKind, _ key: String) -> Record? { rows[kind]?[ExactText(key)] }

    func list(_ kind: RecordKind, family: String?) -> [Record] {
        let wanted = family.map(ExactText.init)
        let found = (rows[kind] ?? [:]).filter { wanted == nil || $0.value.family.map(ExactText.init) == wanted }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    func put(_ record: Record) { rows[record.kind, default: [:]][ExactText(record.key)] = record }

    func insert(_ record: Record) -> Bool {
        guard find(record.kind, record.key) == nil else { return false }
        put(record)
        return true
    }

    func take(_ kind: RecordKind, _ key: String, condition: String?) -> Record? {
        guard let record = find(kind, key),
            record.condition.map(ExactText.init) == condition.map(ExactText.init)
        else { return nil }
        rows[kind]?[ExactText(key)] = nil
        return record
    }

    func remove(_ kind: RecordKind, _ key: String) -> Bool {
        rows[kind]?.removeValue(forKey: ExactText(key)) != nil
    }

    func removeFamily(_ kind: RecordKind, _ family: String) -> Int {
        let members = list(kind, family: family)
        for member in members { rows[kind]?[ExactText(member.key)] = nil }
        return members.count
    }

    func purge(_ kind: RecordKind, expiredBefore instant: Timestamp) -> Timestamp? {
        var latest: Timestamp?
        for (key, record) in rows[kind] ?? [:] {
            guard let expires = record.expires, expires < instant else { continue }
            rows[kind]?[key] = nil
            latest = max(latest ?? expires, expires)
        }
        return latest
    }
}
