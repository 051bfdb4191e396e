// CSQLite: SQLite's constants that are casts, and its variadic calls, which are not imported.
#pragma once
#include <features.h>
#include <sqlite3.h>

static inline sqlite3_destructor_type countersign_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Refuses statements that could damage the file or run code hidden in its schema.
static inline int countersign_sqlite_defend(sqlite3 *connection) {
    int result = sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (result != SQLITE_OK) return result;
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}
