package import Basics

/// Where one app keeps its keys and tokens, sealed at rest.
package protocol SecretStore: Sendable {
    /// The secret of that name.
    func read(_ name: String) async throws -> Secret<[UInt8]>?
    /// Writes the secret, whether there was one or not.
    func write(_ name: String, _ value: Secret<[UInt8]>) async throws
    /// Removes the secret; says whether there was one.
    @discardableResult
    func remove(_ name: String) async throws -> Bool
    /// The names of all secrets, sorted.
    func names() async throws -> [String]
}

/// One item of a secret group.
package struct SharedSecret: Sendable, Equatable {
    /// The name it is found by; for a hand-off, the flow.
    package var name: String
    /// The app it is meant for.
    package var owner: String
    /// When it is void.
    package var expires: Timestamp
    /// The content; a hand-off's is sealed to the owner's encryption key as well.
    package var value: Secret<[UInt8]>

    package init(name: String, owner: String, expires: Timestamp, value: Secret<[UInt8]>) {
        self.name = name
        self.owner = owner
        self.expires = expires
        self.value = value
    }
}

/// The store that the member apps of one secret group share.
package protocol SharedSecretStore: Sendable {
    /// Leaves an item for its owner. Refuses when this app or the owner is not a member of the group.
    func put(_ item: SharedSecret) async throws
    /// Takes and deletes the item in one step; nothing when there is none, or it has expired.
    func take(_ name: String, now: Timestamp) async throws -> SharedSecret?
}
