/// Every statement that a store runs again and again; each connection prepares those it uses once.
enum RecordStatement: Int, CaseIterable {
    case begin, beginWrite, commit, rollback, savepoint, release, rollbackToSavepoint
    case synchronousFull, synchronousNormal
    case find, list, listFamily, put, insert, take, remove, removeFamily, purge

    private static let columns = "key, family, condition, expires, value"

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        // The write lock is taken at the start, where waiting for it cannot end in a deadlock of two readers.
        case .beginWrite: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .rollback: "ROLLBACK"
        case .savepoint: "SAVEPOINT body"
        case .release: "RELEASE body"
        case .rollbackToSavepoint: "ROLLBACK TO body"
        case .synchronousFull: "PRAGMA synchronous = FULL"
        case .synchronousNormal: "PRAGMA synchronous = NORMAL"
        case .find: "SELECT \(Self.columns) FROM records WHERE kind = ?1 AND key = ?2"
        case .list: "SELECT \(Self.columns) FROM records WHERE kind = ?1 ORDER BY key"
        case .listFamily: "SELECT \(Self.columns) FROM records WHERE kind = ?1 AND family = ?2 ORDER BY key"
        case .put:
            """
            INSERT INTO records (kind, key, family, condition, expires, value) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (kind, key) DO UPDATE SET
                family = excluded.family, condition = excluded.condition, expires = excluded.expires,
                value = excluded.value
            """
        case .insert:
            """
            INSERT INTO records (kind, key, family, condition, expires, value) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (kind, key) DO NOTHING
            """
        // One statement, so that no other taker can come between the look and the removal.
        case .take:
            "DELETE FROM records WHERE kind = ?1 AND key = ?2 AND condition IS ?3 RETURNING \(Self.columns)"
        case .remove: "DELETE FROM records WHERE kind = ?1 AND key = ?2"
        case .removeFamily: "DELETE FROM records WHERE kind = ?1 AND family = ?2"
        case .purge: "DELETE FROM records WHERE kind = ?1 AND expires < ?2 RETURNING expires"
        }
    }
}
