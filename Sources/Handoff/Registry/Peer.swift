package import Basics
package import JOSE

/// An app of the other role, as this side's registry pins it: ready to verify its commands and to encrypt to it.
package struct Peer: Sendable {
    /// The app id, which is also its bus name.
    package let id: AppID
    /// The role whose commands it may send.
    package let role: AppRole
    /// The registered name, shown to people.
    package let displayName: String
    /// The scheme that commands to it are addressed to.
    package let scheme: String
    /// The keys that its commands may be signed with, each with its algorithm.
    package let commandKeys: [VerificationKey]
    /// The keys that they may be signed with for a while yet.
    package let formerKeys: [FormerKey]
    /// The key that personal commands to it are encrypted to.
    package let encryptionKey: EncryptionKey

    package init(
        id: AppID, role: AppRole, displayName: String, scheme: String, commandKeys: [VerificationKey],
        formerKeys: [FormerKey] = [], encryptionKey: EncryptionKey
    ) {
        self.id = id
        self.role = role
        self.displayName = displayName
        self.scheme = scheme
        self.commandKeys = commandKeys
        self.formerKeys = formerKeys
        self.encryptionKey = encryptionKey
    }

    /// Whether a key of that id is pinned, be its last day over or not. One that is not has been taken away.
    package func pins(keyID id: String) -> Bool {
        (commandKeys + formerKeys.map(\.key)).contains { sameBytes($0.thumbprint.value, id) }
    }

    /// The key of that id, if it counts now. A `kid` is looked up under the sender, never alone.
    package func commandKey(id: String?, at now: Timestamp) -> VerificationKey? {
        commandKeys.first { sameBytes($0.thumbprint.value, id) }
            ?? formerKeys.first { sameBytes($0.key.thumbprint.value, id) && $0.counts(at: now) }?.key
    }
}
