import CSQLite

/// One prepared statement of one connection.
struct SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer

    init(_ sql: String, on connection: OpaquePointer) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw SQLiteStatement.failure(code, connection) }
        self.handle = handle
        self.connection = connection
    }

    /// Frees the statement; it must not be used again.
    func finalize() { sqlite3_finalize(handle) }

    // MARK: Parameters, numbered from 1

    func bind(_ index: Int32, _ text: String?) throws {
        guard var text else { return try check(sqlite3_bind_null(handle, index)) }
        let code = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text(
                    handle, index, characters.baseAddress, Int32(characters.count), countersign_sqlite_transient())
            }
        }
        try check(code)
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) throws {
        // An empty array may have no address, and a blob without one is a NULL.
        guard !bytes.isEmpty else { return try check(sqlite3_bind_zeroblob(handle, index, 0)) }
        try check(sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), countersign_sqlite_transient()))
    }

    func bind(_ index: Int32, _ number: Int64?) throws {
        guard let number else { return try check(sqlite3_bind_null(handle, index)) }
        try check(sqlite3_bind_int64(handle, index, number))
    }

    // MARK: Running

    /// Runs the statement to its end, giving each row to `row`, and resets it.
    func run(_ row: (SQLiteStatement) throws -> Void = { _ in }) throws {
        // A statement with RETURNING that is not reset holds the write open. Its bindings may be secrets: cleared too.
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        while true {
            let code = sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try row(self)
            case SQLITE_DONE: return
            default: throw SQLiteStatement.failure(code, connection)
            }
        }
    }

    // MARK: Columns of the present row, numbered from 0

    func text(_ column: Int32) -> String? {
        guard let characters = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: characters, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func integer(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw SQLiteStatement.failure(code, connection) }
    }

    private static func failure(_ code: Int32, _ connection: OpaquePointer) -> SQLiteFailure {
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        return SQLiteFailure(code: code, message: message)
    }
}
