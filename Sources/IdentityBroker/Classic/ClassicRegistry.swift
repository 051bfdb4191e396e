import Basics
package import Handoff
package import Platform

/// The classic clients of the identity provider app, in a table apart: none of them has a key.
package enum ClassicRegistry {
    private static let clients = Table<ClassicClientEntry>("classic-app")

    /// Writes a classic client, whether there was one or not.
    ///
    /// - Throws: `classic-scheme` where an app of the other mode has its scheme: one scheme, one mode.
    package static func put(_ entry: ClassicClientEntry, in transaction: borrowing Transaction) throws {
        let signed = try AppRegistry.list(in: transaction)
        guard !signed.contains(where: { $0.id == entry.id || sameScheme($0.scheme, entry.scheme) }) else {
            throw Fault(.classicScheme)
        }
        try clients.put(entry.id.text, entry, in: transaction)
    }

    /// Removes a classic client; says whether there was one.
    package static func remove(_ id: AppID, in transaction: borrowing Transaction) throws -> Bool {
        try clients.remove(id.text, in: transaction)
    }

    /// The classic client of that id.
    package static func find(
        _ id: AppID, in records: borrowing some RecordReading & ~Copyable
    ) throws -> ClassicClientEntry? {
        try clients.find(id.text, in: records)
    }

    /// All classic clients, sorted by id.
    package static func list(
        in records: borrowing some RecordReading & ~Copyable
    ) throws -> [ClassicClientEntry] {
        try clients.list(in: records).map(\.value)
    }

    /// Whether two schemes are one (RFC 3986 §3.1: in any case).
    static func sameScheme(_ left: String, _ right: String) -> Bool { sameBytes(left.lowercased(), right.lowercased()) }
}
