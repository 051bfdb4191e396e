package import Basics

/// Something sealed with a symmetric key, AES-256-GCM: nonce (12 bytes), ciphertext, tag (16 bytes).
package enum SealedBox {
    /// Seals.
    ///
    /// - Throws: `unfit-key` unless the key is 32 bytes; `cryptography-failed`.
    package static func seal(
        _ plaintext: [UInt8], key: Secret<[UInt8]>, associatedData: [UInt8]
    ) throws(Fault) -> [UInt8] {
        guard key.unmasked.count == AESGCM.keyCount else { throw Fault(.unfitKey, "A sealing key is 32 bytes.") }
        let nonce = RandomBytes.cryptographic(AESGCM.nonceCount)
        let sealed = try AESGCM.seal(plaintext, key: key.unmasked, nonce: nonce, associatedData: associatedData)
        return nonce + sealed.ciphertext + sealed.tag
    }

    /// Opens.
    ///
    /// - Throws: `undecryptable`, whatever the reason.
    package static func open(
        _ box: [UInt8], key: Secret<[UInt8]>, associatedData: [UInt8]
    ) throws(Fault) -> [UInt8] {
        guard box.count >= AESGCM.nonceCount + AESGCM.tagCount,
            let plaintext = AESGCM.open(
                Array(box[AESGCM.nonceCount..<box.count - AESGCM.tagCount]), tag: Array(box.suffix(AESGCM.tagCount)),
                key: key.unmasked, nonce: Array(box.prefix(AESGCM.nonceCount)), associatedData: associatedData)
        else { throw Fault(.undecryptable) }
        return plaintext
    }
}
