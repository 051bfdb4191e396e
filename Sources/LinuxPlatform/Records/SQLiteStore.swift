import Basics
package import Platform

/// The records of one home in an SQLite file, which several processes may have open.
///
/// Writes go to one thread that commits all that wait at once; reads run in place.
package final class SQLiteStore: RecordStore {
    private let writer: SQLiteWriter
    private let readers: SQLiteReaders

    /// Opens the store at `path`; makes it, and its folder, where they are missing.
    ///
    /// - Parameter busyTimeout: how long a write waits for one of another process.
    /// - Throws: `store-unreadable` for a file that is damaged or not ours and `store-too-new` for one that a newer
    ///   program wrote, both left as they are; `unsafe-permissions` or `unsafe-path` when others can reach it;
    ///   `store-unavailable` when it cannot be opened.
    package init(path: String, busyTimeout: Duration = .seconds(5)) throws {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw Fault(.unsafePath, "The path of a store is absolute and names a folder: \(path)")
        }
        let directory = try PrivateDirectory(creating: String(path[..<slash]))
        let connection = try SQLiteSchema.prepare(PrivateFile(path: path), in: directory) {
            try SQLiteConnection(path: path, busyTimeout: busyTimeout)
        }
        writer = try SQLiteWriter(connection)
        readers = SQLiteReaders(path: path)
    }

    deinit {
        writer.finish()
        readers.close()
    }

    package func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result {
        // No cancellation handler: what was queued is finished, and its caller learns how it ended.
        try await withCheckedThrowingContinuation { continuation in
            let accepted = writer.submit(
                SQLiteWriter.Job(
                    durability: durability,
                    run: { transaction in
                        let outcome = Swift.Result { try body(transaction) }
                        return SQLiteWriter.Ending(failure: outcome.failure) { batchFailure in
                            if let batchFailure {
                                continuation.resume(throwing: batchFailure)
                            } else {
                                continuation.resume(with: outcome.mapError(SQLiteFailure.translated))
                            }
                        }
                    },
                    refuse: { continuation.resume(throwing: $0) }))
            if !accepted { continuation.resume(throwing: Fault(.storeUnavailable, "The store has been closed.")) }
        }
    }

    package func read<Result: Sendable>(_ body: @Sendable (borrowing Snapshot) throws -> Result) throws -> Result {
        do {
            return try readers.read(body)
        } catch {
            throw SQLiteFailure.translated(error)
        }
    }

    /// Finishes the writes that are queued and closes the file; later reads and writes are refused.
    package func close() async {
        readers.close()
        await writer.close()
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
