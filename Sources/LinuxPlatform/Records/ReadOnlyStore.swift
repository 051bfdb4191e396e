import Basics
package import Platform

/// The records of a store that is there already, to look at: nothing is made, marked or migrated.
package final class ReadOnlyStore: RecordStore {
    private let readers: SQLiteReaders

    /// Opens the store at `path`.
    ///
    /// - Returns: `nil` where there is none.
    /// - Throws: `store-unreadable`, `store-too-new`, `unsafe-permissions`.
    package init?(path: String) throws {
        guard let status = try FileStatus.of(path: path) else { return nil }
        try status.requirePrivate(.file, path)
        do {
            let connection = try SQLiteConnection(path: path, busyTimeout: .milliseconds(200))
            defer { connection.close() }
            try connection.execute("PRAGMA query_only = ON")
            try SQLiteSchema.requireOurs(connection)
        } catch {
            throw SQLiteFailure.translated(error)
        }
        readers = SQLiteReaders(path: path)
    }

    deinit { readers.close() }

    package func read<Result: Sendable>(_ body: @Sendable (borrowing Snapshot) throws -> Result) throws -> Result {
        do {
            return try readers.read(body)
        } catch {
            throw SQLiteFailure.translated(error)
        }
    }

    /// Refused: this is for looking.
    package func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result {
        throw Fault(.storeUnavailable, "This store was opened to be read only.")
    }
}
