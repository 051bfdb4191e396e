package import Basics

/// The kind of a record, such as `provider.code`; the part before the first dot is the role that owns it.
package struct RecordKind: Hashable, Sendable, CustomStringConvertible {
    /// The name as it stands in the store.
    package let name: String

    /// Makes a kind.
    package init(_ name: String) { self.name = name }

    package var description: String { name }
}

/// One stored row.
package struct Record: Sendable, Equatable {
    /// What it is.
    package var kind: RecordKind
    /// Its key, unique within the kind.
    package var key: String
    /// What it belongs to; `removeFamily` takes all rows of one family at once.
    package var family: String?
    /// What a taker must state exactly, compared in the same statement that takes the row.
    package var condition: String?
    /// When it may be purged. Readers judge expiry themselves, by their own clock.
    package var expires: Timestamp?
    /// The content: JSON bytes.
    package var value: [UInt8]

    package init(
        kind: RecordKind, key: String, family: String? = nil, condition: String? = nil, expires: Timestamp? = nil,
        value: [UInt8]
    ) {
        self.kind = kind
        self.key = key
        self.family = family
        self.condition = condition
        self.expires = expires
        self.value = value
    }
}

/// How safe a write is when `write` returns.
package enum Durability: Sendable {
    /// On the disk: single-use marks, flows, rotations, accounts.
    case full
    /// Survives the process; the last moments may be lost with the power.
    case normal
}
