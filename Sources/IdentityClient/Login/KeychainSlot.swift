package import Basics
import Handoff
package import JOSE

/// What waits in the secret group for one flow of the keychain variant: sealed to the client's own encryption key, and
/// not only to the group.
package struct KeychainSlot: Sendable {
    package var verifier: Secret<String>
    package var nonce: String
    /// The name to show in the confirmation.
    package var username: String

    package init(verifier: Secret<String>, nonce: String, username: String) {
        self.verifier = verifier
        self.nonce = nonce
        self.username = username
    }

    /// The slot sealed to the client that may use it.
    package func sealed(to key: EncryptionKey) throws(Fault) -> Secret<[UInt8]> {
        let json: JSONValue = [
            "code_verifier": .string(verifier.unmasked), "nonce": .string(nonce), "username": .string(username),
        ]
        let compact = try JWE.encrypt(
            json.serialized(), header: ["typ": .string(KeychainSlot.type), "kid": .string(key.thumbprint.value)],
            to: key)
        return Secret(Array(compact.utf8))
    }

    /// Opens a slot; throws `undecryptable` when it is for none of these keys.
    package init(_ sealed: Secret<[UInt8]>, openedBy keys: [DecryptionKey]) throws(Fault) {
        let token = try UnverifiedJWE(compact: String(decoding: sealed.unmasked, as: UTF8.self))
        guard let key = keys.first(where: { sameBytes($0.thumbprint.value, token.keyID) }) else {
            throw Fault(.undecryptable)
        }
        let json = try JSONValue(parsing: try token.decrypted(by: key))
        guard token.header["typ"]?.stringValue == KeychainSlot.type, let verifier = json["code_verifier"]?.stringValue,
            let nonce = json["nonce"]?.stringValue, let username = json["username"]?.stringValue
        else { throw Fault(.slotMissing) }
        self.init(verifier: Secret(verifier), nonce: nonce, username: username)
    }

    private static let type = "keychain-slot+jwe"
}
