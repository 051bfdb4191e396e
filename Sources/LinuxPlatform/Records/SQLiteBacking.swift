import Basics
import Platform

/// The verbs of storage as statements of one connection.
struct SQLiteBacking: RecordBacking {
    let connection: SQLiteConnection

    func find(_ kind: RecordKind, _ key: String) throws -> Record? {
        let statement = try connection.statement(.find)
        try statement.bind(1, kind.name)
        try statement.bind(2, key)
        return try rows(of: statement, kind).first
    }

    func list(_ kind: RecordKind, family: String?) throws -> [Record] {
        let statement = try connection.statement(family == nil ? .list : .listFamily)
        try statement.bind(1, kind.name)
        if let family { try statement.bind(2, family) }
        return try rows(of: statement, kind)
    }

    func put(_ record: Record) throws {
        try bound(.put, to: record).run()
    }

    func insert(_ record: Record) throws -> Bool {
        try bound(.insert, to: record).run()
        return connection.changedRows > 0
    }

    func take(_ kind: RecordKind, _ key: String, condition: String?) throws -> Record? {
        let statement = try connection.statement(.take)
        try statement.bind(1, kind.name)
        try statement.bind(2, key)
        try statement.bind(3, condition)
        return try rows(of: statement, kind).first
    }

    func remove(_ kind: RecordKind, _ key: String) throws -> Bool {
        let statement = try connection.statement(.remove)
        try statement.bind(1, kind.name)
        try statement.bind(2, key)
        try statement.run()
        return connection.changedRows > 0
    }

    func removeFamily(_ kind: RecordKind, _ family: String) throws -> Int {
        let statement = try connection.statement(.removeFamily)
        try statement.bind(1, kind.name)
        try statement.bind(2, family)
        try statement.run()
        return connection.changedRows
    }

    func purge(_ kind: RecordKind, expiredBefore instant: Timestamp) throws -> Timestamp? {
        let statement = try connection.statement(.purge)
        try statement.bind(1, kind.name)
        try statement.bind(2, instant.microseconds)
        var largest: Int64?
        try statement.run { row in
            largest = max(largest ?? .min, row.integer(0) ?? .min)
        }
        return largest.map(Timestamp.init(microseconds:))
    }

    private func bound(_ name: RecordStatement, to record: Record) throws -> SQLiteStatement {
        let statement = try connection.statement(name)
        try statement.bind(1, record.kind.name)
        try statement.bind(2, record.key)
        try statement.bind(3, record.family)
        try statement.bind(4, record.condition)
        try statement.bind(5, record.expires?.microseconds)
        try statement.bind(6, record.value)
        return statement
    }

    private func rows(of statement: SQLiteStatement, _ kind: RecordKind) throws -> [Record] {
        var records: [Record] = []
        try statement.run { row in
            records.append(
                Record(
                    kind: kind, key: row.text(0) ?? "", family: row.text(1), condition: row.text(2),
                    expires: row.integer(3).map(Timestamp.init(microseconds:)), value: row.bytes(4)))
        }
        return records
    }
}
