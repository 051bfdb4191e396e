import Basics
import Platform

/// The form of a store's file, and the checks before anything is written to one that is there already.
enum SQLiteSchema {
    /// Marks the file as one of ours ("CSGN").
    static let applicationID: Int64 = 0x4353_474E
    /// The form that this program reads and writes.
    static let version: Int64 = 1

    private static let smallestPage = 512

    /// Makes a missing file, checks one that is there, and leaves it ready for use.
    ///
    /// - Throws: `store-unreadable` for a file that is damaged or not ours, `store-too-new` for one that a newer
    ///   program wrote; either is left as it is.
    static func prepare(_ file: PrivateFile, in directory: PrivateDirectory, _ connect: () throws -> SQLiteConnection)
        throws -> SQLiteConnection
    {
        // Two processes that start at once must not both set up the same file.
        try directory.withLock {
            if let status = try FileStatus.of(path: file.path) {
                try status.requirePrivate(.file, file.path)
                // SQLite takes a file of one byte for an empty one, and would write over it.
                guard status.size == 0 || status.size >= smallestPage else {
                    throw Fault(.storeUnreadable, detail: "\(status.size) bytes")
                }
            } else {
                // Made by us, so that it is 0600 from its first moment; SQLite gives its side files the same mode.
                // Never opened beside SQLite: closing any descriptor of a file drops this process's locks on it.
                _ = try file.create([])
            }
            let connection = try connect()
            do {
                if try isEmpty(connection) {
                    try connection.execute("PRAGMA journal_mode = WAL")
                    try create(on: connection)
                }
                try tune(connection)
                return connection
            } catch {
                connection.close()
                throw SQLiteFailure.translated(error)
            }
        }
    }

    /// Settings that each connection makes for itself.
    static func tune(_ connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA cell_size_check = ON")
        try connection.execute("PRAGMA secure_delete = FAST")
        try connection.execute("PRAGMA journal_size_limit = 16777216")
        try connection.execute("PRAGMA wal_autocheckpoint = 4000")
        try connection.execute("PRAGMA cache_size = -16384")
    }

    /// Refuses a file that is none of ours, or of a newer program.
    static func requireOurs(_ connection: SQLiteConnection) throws {
        guard try !isEmpty(connection) else { throw Fault(.storeUnreadable, detail: "there is nothing in it") }
    }

    /// Whether there is nothing in the file yet; refuses one that this program must not touch.
    private static func isEmpty(_ connection: SQLiteConnection) throws -> Bool {
        let application = try connection.execute("PRAGMA application_id") ?? 0
        let version = try connection.execute("PRAGMA user_version") ?? 0
        let tables = try connection.execute("SELECT count(*) FROM sqlite_schema") ?? 0
        if application == 0, version == 0, tables == 0 { return true }
        guard application == applicationID else {
            throw Fault(.storeUnreadable, detail: "application id \(application)")
        }
        guard version <= Self.version else {
            throw Fault(.storeTooNew, detail: "schema \(version), this program knows \(Self.version)")
        }
        guard version == Self.version, try hasRecords(connection) else {
            throw Fault(.storeUnreadable, detail: "schema \(version), \(tables) tables and indexes")
        }
        return false
    }

    private static func hasRecords(_ connection: SQLiteConnection) throws -> Bool {
        try connection.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'records'") == 1
    }

    private static func create(on connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA synchronous = FULL")
        try connection.execute("BEGIN IMMEDIATE")
        try connection.execute(
            """
            CREATE TABLE records (
                kind TEXT NOT NULL, key TEXT NOT NULL, family TEXT, condition TEXT, expires INTEGER,
                value BLOB NOT NULL, PRIMARY KEY (kind, key)
            ) STRICT, WITHOUT ROWID
            """)
        try connection.execute("CREATE INDEX records_by_family ON records (kind, family) WHERE family IS NOT NULL")
        try connection.execute("CREATE INDEX records_by_expiry ON records (kind, expires) WHERE expires IS NOT NULL")
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(version)")
        try connection.execute("COMMIT")
    }
}
