package import Basics
package import Handoff
package import JOSE

/// An app's three keys, and the key that seals its records at rest. Made in the home, never copied.
package struct AppKeys: Sendable {
    /// A key for receiving that is not, or not any more, the one that others are told.
    package struct OtherDecryptionKey: Sendable {
        package let key: DecryptionKey
        /// The first moment at which it opens nothing more; `nil` for a key that waits to be used.
        package let ends: Timestamp?
    }

    /// An OAuth key that was replaced: what is bound to it lives on with it, until its end.
    package struct FormerOAuthKey: Sendable {
        package let key: SigningKey
        /// The first moment at which it signs nothing more.
        package let ends: Timestamp
    }

    /// Signs commands.
    package let command: SigningKey
    /// Receives personal commands.
    package let encryption: DecryptionKey
    /// Signs request objects, client assertions and DPoP proofs.
    package let oauth: SigningKey
    /// Seals tokens and verifiers in the app's own records.
    package let atRest: Secret<[UInt8]>
    /// Keys for receiving that were replaced, and those that are about to be used.
    package let otherEncryption: [OtherDecryptionKey]
    /// The public halves of the command keys that were replaced and count for a while yet.
    package let formerCommand: [FormerKey]
    /// The OAuth keys that were replaced.
    package let formerOAuth: [FormerOAuthKey]

    package init(
        command: SigningKey, encryption: DecryptionKey, oauth: SigningKey, atRest: Secret<[UInt8]>,
        otherEncryption: [OtherDecryptionKey] = [], formerCommand: [FormerKey] = [],
        formerOAuth: [FormerOAuthKey] = []
    ) {
        self.command = command
        self.encryption = encryption
        self.oauth = oauth
        self.atRest = atRest
        self.otherEncryption = otherEncryption
        self.formerCommand = formerCommand
        self.formerOAuth = formerOAuth
    }

    /// Makes new keys.
    ///
    /// - Parameter command: what commands are signed with. A key for PS256 takes a tenth of a second and more.
    package static func generate(
        command: SignatureAlgorithm = .es256, randomBytes: (Int) -> [UInt8]
    ) throws(Fault) -> AppKeys {
        AppKeys(
            command: try SigningKey.generate(command), encryption: try DecryptionKey.generate(),
            oauth: try SigningKey.generate(.es256), atRest: Secret(randomBytes(32)))
    }

    /// The OAuth key that a request, code or token is bound to; the one in use where nothing is said of it, or where it
    /// has come to its end.
    ///
    /// - Parameter keyID: the thumbprint of the key that it is bound to.
    package func oauth(boundTo keyID: String?, at now: Timestamp) -> SigningKey {
        formerOAuth.first { $0.key.keyID == keyID && now < $0.ends }?.key ?? oauth
    }

    /// Every key that opens commands now, the one in use first. A command names the one that it is for.
    package func decryptionKeys(at now: Timestamp) -> [DecryptionKey] {
        [encryption] + otherEncryption.filter { $0.ends.map { now < $0 } ?? true }.map(\.key)
    }
}
