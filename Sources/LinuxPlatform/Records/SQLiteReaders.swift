import Basics
import Platform
import Synchronization

/// The connections that reads run on, each lent to one caller at a time.
final class SQLiteReaders: Sendable {
    private struct State {
        var idle: [SQLiteConnection] = []
        var closed = false
    }

    private static let mostIdle = 8

    private let path: String
    private let state = Mutex(State())

    init(path: String) { self.path = path }

    /// Runs `body` over one consistent view of the records.
    func read<Result: Sendable>(_ body: (borrowing Snapshot) throws -> Result) throws -> Result {
        let connection = try borrow()
        defer { giveBack(connection) }
        try connection.run(.begin)
        defer {
            // A connection that cannot end its transaction would show an old view for ever: it is not lent again.
            do { try connection.run(.commit) } catch { connection.close() }
        }
        return try body(Snapshot(SQLiteBacking(connection: connection)))
    }

    /// Closes all connections; one that is lent closes when it comes back.
    func close() {
        let idle = state.withLock { state in
            state.closed = true
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.close() }
    }

    private func borrow() throws -> SQLiteConnection {
        let (idle, closed) = state.withLock { state in (state.idle.popLast(), state.closed) }
        if closed { throw Fault(.storeUnavailable, "The store has been closed.") }
        if let idle { return idle }
        // Reads never wait for writers in WAL mode, only for the moment in which another process repairs the log.
        let connection = try SQLiteConnection(path: path, busyTimeout: .milliseconds(200))
        try connection.execute("PRAGMA query_only = ON")
        try SQLiteSchema.tune(connection)
        return connection
    }

    private func giveBack(_ connection: SQLiteConnection) {
        let kept = state.withLock { state in
            guard !state.closed, !connection.isClosed, state.idle.count < SQLiteReaders.mostIdle else { return false }
            state.idle.append(connection)
            return true
        }
        if !kept { connection.close() }
    }
}
