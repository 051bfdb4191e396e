import Basics
import COpenSSL

/// AES-256 in Galois/Counter Mode: 32-byte key, 12-byte nonce, 16-byte tag (RFC 7518 §5.3).
enum AESGCM {
    static let keyCount = 32
    static let nonceCount = 12
    static let tagCount = 16

    /// Encrypts; key and nonce have their exact lengths, and the nonce is used once with this key.
    static func seal(
        _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
    ) throws(Fault) -> (ciphertext: [UInt8], tag: [UInt8]) {
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count)
        var tag = [UInt8](repeating: 0, count: tagCount)
        var count: Int32 = 0
        guard let context = EVP_CIPHER_CTX_new() else { throw Fault.openSSL("encrypt") }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_EncryptInit_ex2(context, FetchedAES256GCM.pointer, key, nonce, nil) == 1,
            EVP_EncryptUpdate(context, nil, &count, associatedData, Int32(associatedData.count)) == 1,
            EVP_EncryptUpdate(context, &ciphertext, &count, plaintext, Int32(plaintext.count)) == 1,
            EVP_EncryptFinal_ex(context, nil, &count) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), &tag) == 1
        else { throw Fault.openSSL("encrypt") }
        return (ciphertext, tag)
    }

    /// Decrypts; nil unless everything has its length and the tag holds.
    static func open(
        _ ciphertext: [UInt8], tag: [UInt8], key: [UInt8], nonce: [UInt8], associatedData: [UInt8]
    ) -> [UInt8]? {
        guard key.count == keyCount, nonce.count == nonceCount, tag.count == tagCount,
            let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var plaintext = [UInt8](repeating: 0, count: ciphertext.count)
        var tag = tag
        var count: Int32 = 0
        guard EVP_DecryptInit_ex2(context, FetchedAES256GCM.pointer, key, nonce, nil) == 1,
            EVP_DecryptUpdate(context, nil, &count, associatedData, Int32(associatedData.count)) == 1,
            EVP_DecryptUpdate(context, &plaintext, &count, ciphertext, Int32(ciphertext.count)) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1,
            EVP_DecryptFinal_ex(context, nil, &count) == 1
        else {
            forgetOpenSSLErrors()
            return nil
        }
        return plaintext
    }
}

/// AES-256-GCM as OpenSSL's provider has it, looked up once.
private enum FetchedAES256GCM {
    static var pointer: OpaquePointer { holder.pointer }

    private static let holder = Holder()

    /// `@unchecked Sendable`: a fetched EVP_CIPHER is never changed, and lives as long as the process.
    private final class Holder: @unchecked Sendable {
        let pointer: OpaquePointer
        init() {
            guard let pointer = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
                // Every OpenSSL provider has AES-GCM; without it nothing can be kept secret.
                fatalError("this OpenSSL has no AES-256-GCM")
            }
            self.pointer = pointer
        }
    }
}
