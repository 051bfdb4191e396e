package import Basics
import FoundationEssentials

/// The records of one kind as values of one type.
package struct Table<Value: Codable & Sendable>: Sendable {
    /// The kind of record this table holds.
    package let kind: RecordKind

    /// Makes a view of the records of that kind.
    package init(_ name: String) { kind = RecordKind(name) }

    /// The value of that key.
    package func find(_ key: String, in records: borrowing some RecordReading & ~Copyable) throws -> Value? {
        try records.find(kind, key).map(decoded)
    }

    /// All values, or those of one family, sorted by key.
    package func list(
        family: String? = nil, in records: borrowing some RecordReading & ~Copyable
    ) throws -> [(key: String, value: Value)] {
        try records.list(kind, family: family).map { ($0.key, try decoded($0)) }
    }

    /// Writes the value, whether there was one or not.
    package func put(
        _ key: String, _ value: Value, family: String? = nil, condition: String? = nil, expires: Timestamp? = nil,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.put(encoded(key, value, family, condition, expires))
    }

    /// Writes the value only where there is none; says whether it did.
    package func insert(
        _ key: String, _ value: Value, family: String? = nil, condition: String? = nil, expires: Timestamp? = nil,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.insert(encoded(key, value, family, condition, expires))
    }

    /// Removes and returns the value, if its condition equals `condition`; a miss changes nothing.
    package func take(
        _ key: String, condition: String? = nil, in transaction: borrowing Transaction
    ) throws -> Value? {
        try transaction.take(kind, key, condition: condition).map(decoded)
    }

    /// Removes the value; says whether there was one.
    @discardableResult
    package func remove(_ key: String, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.remove(kind, key)
    }

    /// Removes all values of the family and returns how many.
    @discardableResult
    package func removeFamily(_ family: String, in transaction: borrowing Transaction) throws -> Int {
        try transaction.removeFamily(kind, family)
    }

    private func decoded(_ record: Record) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(record.value))
        } catch {
            throw Fault(.unreadableRecord, detail: "\(kind) \(record.key.prefix(8))…", underlying: error)
        }
    }

    private func encoded(
        _ key: String, _ value: Value, _ family: String?, _ condition: String?, _ expires: Timestamp?
    ) throws -> Record {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = [UInt8](try encoder.encode(value))
        return Record(
            kind: kind, key: key, family: family, condition: condition, expires: expires, value: bytes)
    }
}
