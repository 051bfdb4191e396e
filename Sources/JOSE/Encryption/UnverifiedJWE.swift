package import Basics

/// An encrypted token that nobody has opened yet (RFC 7516 §3.1).
package struct UnverifiedJWE: Sendable {
    /// The header parameters.
    ///
    /// Hints for finding the key, nothing more.
    package let header: [String: JSONValue]

    private let headerText: [UInt8]
    private let encryptedKey: [UInt8]
    private let nonce: [UInt8]
    private let ciphertext: [UInt8]
    private let tag: [UInt8]

    /// Takes a token apart.
    ///
    /// - Throws: `token-too-large`; `malformed-token` unless it is five parts of strict base64url with a strict JSON
    ///   header that has an `alg`; `unsupported-header` for `crit`.
    package init(compact: some StringProtocol, maximumBytes: Int = 16_384) throws(Fault) {
        let parts = try CompactParts(Array(compact.utf8), count: 5, maximumBytes: maximumBytes)
        header = parts.header
        headerText = parts.headerText
        encryptedKey = parts.rest[0]
        nonce = parts.rest[1]
        ciphertext = parts.rest[2]
        tag = parts.rest[3]
    }

    /// `kid`, as the token claims.
    package var keyID: String? { header["kid"]?.stringValue }

    /// The plaintext.
    ///
    /// - Throws: `undecryptable`, whatever the reason, so that a sender learns nothing by trying.
    package func decrypted(by key: DecryptionKey) throws(Fault) -> [UInt8] {
        guard header["alg"] == .string(JWE.algorithm), header["enc"] == .string(JWE.contentEncryption),
            // Compression tells the length of secrets, and lets a small token become a large one.
            header["zip"] == nil, encryptedKey.isEmpty,
            let ephemeral = header["epk"], let peer = try? EncryptionKey(JWK(ephemeral)),
            let secret = key.key.sharedSecret(with: peer.key),
            let contentKey = try? JWE.contentKey(sharedSecret: secret, header: header),
            let plaintext = AESGCM.open(
                ciphertext, tag: tag, key: contentKey, nonce: nonce, associatedData: headerText)
        else { throw Fault(.undecryptable) }
        return plaintext
    }
}
