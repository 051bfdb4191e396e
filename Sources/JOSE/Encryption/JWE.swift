package import Basics
import COpenSSL

/// Making encrypted tokens: ECDH-ES in direct agreement with A256GCM, and nothing else (RFC 7516 §5.1, RFC 7518 §4.6).
package enum JWE {
    static let algorithm = "ECDH-ES"
    static let contentEncryption = "A256GCM"

    /// Encrypts to a key.
    ///
    /// Sets `alg`, `enc` and `epk`, and `kid` to the key's thumbprint unless given; `apu` and `apv` (base64url) enter
    /// the key derivation where they are given.
    ///
    /// - Throws: `invalid-base64url` for `apu` or `apv`; `cryptography-failed`.
    package static func encrypt(
        _ plaintext: [UInt8], header: [String: JSONValue], to key: EncryptionKey
    ) throws(Fault) -> String {
        guard let ephemeral = OpenSSLKey(adopting: countersign_generate_ec("P-256")),
            let material = ephemeral.publicMaterial(), let secret = ephemeral.sharedSecret(with: key.key)
        else { throw Fault.openSSL("agree on a key") }
        var header = header
        header["alg"] = .string(algorithm)
        header["enc"] = .string(contentEncryption)
        header["epk"] = .object(material.members)
        if header["kid"] == nil { header["kid"] = .string(key.thumbprint.value) }
        let contentKey = try contentKey(sharedSecret: secret, header: header)
        let nonce = RandomBytes.cryptographic(AESGCM.nonceCount)
        let headerText = Base64URL.encode(JSONValue.object(header).serialized())
        let sealed = try AESGCM.seal(plaintext, key: contentKey, nonce: nonce, associatedData: Array(headerText.utf8))
        // Direct agreement has no encrypted key: that part is empty (RFC 7518 §4.6).
        let parts = [
            headerText, "", Base64URL.encode(nonce), Base64URL.encode(sealed.ciphertext), Base64URL.encode(sealed.tag),
        ]
        return parts.joined(separator: ".")
    }

    /// The key for the content, from the agreed secret and the header's `apu` and `apv` (RFC 7518 §4.6.2).
    static func contentKey(sharedSecret: [UInt8], header: [String: JSONValue]) throws(Fault) -> [UInt8] {
        KeyDerivation.concatSHA256(
            sharedSecret: sharedSecret, algorithm: contentEncryption, partyU: try party("apu", in: header),
            partyV: try party("apv", in: header))
    }

    private static func party(_ name: String, in header: [String: JSONValue]) throws(Fault) -> [UInt8] {
        guard let value = header[name] else { return [] }
        guard let text = value.stringValue else { throw Fault(.invalidBase64URL) }
        return try Base64URL.decode(text)
    }
}
