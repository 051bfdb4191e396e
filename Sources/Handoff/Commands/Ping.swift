import Basics

/// `ping`: is the peer there? Its nonce comes back in `pong`, so that a recorded answer is worth nothing.
package struct Ping: Sendable, Hashable {
    /// Random text (`nonce`): at most 64 letters, digits, `-`, `_` and `.`.
    package var nonce: String

    package init(nonce: String) { self.nonce = nonce }

    init(_ reader: inout FieldReader) throws(Fault) { nonce = try reader.token("nonce", longest: 64) }

    var fields: [String: JSONValue] { ["nonce": .string(nonce)] }
}

/// `pong`: the answer, with the protocol version the peer speaks and, as a diagnostic only, its key.
package struct Pong: Sendable, Hashable {
    /// The nonce of the `ping` (`nonce`).
    package var nonce: String
    /// The protocol version (`version`), such as `v1.0`.
    package var version: String
    /// The thumbprint of the key that receives (`enc_kid`); never a reason to trust it.
    package var encryptionKeyID: String

    package init(nonce: String, version: String, encryptionKeyID: String) {
        self.nonce = nonce
        self.version = version
        self.encryptionKeyID = encryptionKeyID
    }

    init(_ reader: inout FieldReader) throws(Fault) {
        nonce = try reader.token("nonce", longest: 64)
        version = try reader.token("version", longest: 16)
        encryptionKeyID = try reader.token("enc_kid", longest: 43)
    }

    var fields: [String: JSONValue] {
        ["nonce": .string(nonce), "version": .string(version), "enc_kid": .string(encryptionKeyID)]
    }
}
