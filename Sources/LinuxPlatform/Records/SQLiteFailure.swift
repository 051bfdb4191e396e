import Basics
import CSQLite
import Platform

/// A call into SQLite that failed, with its result code.
struct SQLiteFailure: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's own words: names of tables and columns, never a value.
    let message: String

    /// The primary result code.
    var primary: Int32 { code & 0xFF }

    /// What the caller of the store gets to see.
    var fault: Fault {
        let detail = "SQLite \(code): \(message)"
        switch primary {
        case SQLITE_NOTADB, SQLITE_CORRUPT, SQLITE_FORMAT:
            return Fault(.storeUnreadable, detail: detail)
        case SQLITE_BUSY, SQLITE_LOCKED:
            return Fault(
                .storeUnavailable, "Another process holds the store of this home.",
                next: "Try again; if it lasts, look for a program that stands still in this home.", detail: detail)
        case SQLITE_FULL:
            return Fault(
                .storeUnavailable, "The disk is full.", next: "Make room on the disk.", detail: detail)
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOLFS, SQLITE_PROTOCOL:
            return Fault(.storeUnavailable, detail: detail)
        default:
            return Fault(.internalFault, detail: detail)
        }
    }

    /// The error as a fault where it came from SQLite, and as it is otherwise.
    static func translated(_ error: any Error) -> any Error {
        (error as? SQLiteFailure)?.fault ?? error
    }
}
