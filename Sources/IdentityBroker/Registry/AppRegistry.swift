import Basics
package import Handoff
import OpenIDConnect
package import Platform

/// The app registry of the identity provider app: its rows are read anew for each command, so a row that was added
/// while the app runs counts from its next use.
package enum AppRegistry {
    static let apps = Table<AppRegistryEntry>("app")

    /// Writes an app, whether there was one or not.
    ///
    /// - Throws: when one of its keys does not fit its use; `classic-scheme` where a classic client has its scheme.
    package static func put(_ entry: AppRegistryEntry, in transaction: borrowing Transaction) throws {
        let classic = try ClassicRegistry.list(in: transaction)
        guard !classic.contains(where: { ClassicRegistry.sameScheme($0.scheme, entry.scheme) || $0.id == entry.id })
        else { throw Fault(.classicScheme) }
        _ = try entry.registeredClient()
        try apps.put(entry.id.text, entry, in: transaction)
    }

    /// Removes an app with the consent that was given for it and the logins it was given; says whether there was one.
    package static func remove(_ id: AppID, in transaction: borrowing Transaction) throws -> Bool {
        if let entry = try apps.find(id.text, in: transaction) {
            try transaction.removeFamily(ConsentRecord.table.kind, entry.clientID.text)
            try HandedLogin.table.removeFamily(id.text, in: transaction)
            try LogoutNotice.removeAll(for: id, in: transaction)
        }
        return try apps.remove(id.text, in: transaction)
    }

    /// The app of that id.
    package static func find(
        _ id: AppID, in records: borrowing some RecordReading & ~Copyable
    ) throws -> AppRegistryEntry? {
        try apps.find(id.text, in: records)
    }

    /// All apps, sorted by id.
    package static func list(in records: borrowing some RecordReading & ~Copyable) throws -> [AppRegistryEntry] {
        try apps.list(in: records).map(\.value)
    }
}
