import Basics
import CSQLite

/// One connection to the file of a store, with its prepared statements.
///
/// `@unchecked Sendable`: the handle is opened without SQLite's own lock, and one thread at a time has it: the writer
/// owns its connection, and `SQLiteReaders` gives each of the others to one caller until it comes back.
final class SQLiteConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private var statements: [SQLiteStatement?]

    /// Opens a file that exists; nothing is read or written yet.
    ///
    /// - Parameter busyTimeout: how long a call waits for another connection's lock.
    init(path: String, busyTimeout: Duration) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? ""
            sqlite3_close_v2(opened)
            throw SQLiteFailure(code: code, message: message)
        }
        handle = opened
        statements = Array(repeating: nil, count: RecordStatement.allCases.count)
        sqlite3_busy_timeout(handle, Int32(busyTimeout.wholeMicroseconds / 1_000))
        countersign_sqlite_defend(handle)
    }

    deinit { close() }

    /// Whether `close()` was called.
    private(set) var isClosed = false

    /// Closes the connection; it must not be used again.
    func close() {
        if isClosed { return }
        isClosed = true
        for statement in statements { statement?.finalize() }
        statements = []
        sqlite3_close_v2(handle)
    }

    /// The prepared form of a statement, made at its first use.
    func statement(_ name: RecordStatement) throws -> SQLiteStatement {
        if let statement = statements[name.rawValue] { return statement }
        let statement = try SQLiteStatement(name.sql, on: handle)
        statements[name.rawValue] = statement
        return statement
    }

    /// Runs a statement that takes no parameters and is kept prepared.
    func run(_ name: RecordStatement) throws { try statement(name).run() }

    /// Runs a statement once, without keeping it, and returns the first column of its first row as a number.
    @discardableResult
    func execute(_ sql: String) throws -> Int64? {
        let statement = try SQLiteStatement(sql, on: handle)
        defer { statement.finalize() }
        var first: Int64?
        try statement.run { row in first = first ?? row.integer(0) }
        return first
    }

    /// Whether a transaction is open; SQLite ends one by itself after some failures, such as a full disk.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last statement changed.
    var changedRows: Int { Int(sqlite3_changes64(handle)) }
}
