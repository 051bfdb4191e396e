package import Basics
package import JOSE

/// A command key that has been replaced: it counts until a date, so that what was signed before the change still
/// arrives, and an app that has not noticed the change yet is heard.
package struct FormerKey: Sendable, Hashable {
    package let key: VerificationKey
    /// The first moment at which it counts no more.
    package let ends: Timestamp

    package init(_ key: VerificationKey, ends: Timestamp) {
        self.key = key
        self.ends = ends
    }

    /// Whether it still counts. The date is exact: no skew is added to it.
    package func counts(at now: Timestamp) -> Bool { now < ends }
}

/// A former command key as a registry keeps it.
package struct FormerKeyRow: Sendable, Codable, Hashable {
    /// The public key, a JWK as text; its `alg` pins its algorithm.
    package var key: String
    /// The first moment at which it counts no more.
    package var ends: Timestamp

    package init(key: String, ends: Timestamp) {
        self.key = key
        self.ends = ends
    }

    /// The key ready for use.
    ///
    /// - Throws: as `VerificationKey(pinned:)`.
    package func formerKey() throws(Fault) -> FormerKey {
        FormerKey(try VerificationKey(pinned: try JWK(parsing: key)), ends: ends)
    }
}
