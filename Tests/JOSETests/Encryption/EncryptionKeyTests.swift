import Basics
import JOSE
import Testing

@Suite struct EncryptionKeyTests {
    @Test func `a decryption key comes back from its JWK`() throws {
        let key = try DecryptionKey.generate()
        let restored = try DecryptionKey(privateJWK: try key.privateJWK())
        #expect(restored.encryptionKey == key.encryptionKey && restored.thumbprint == key.thumbprint)
        let token = try JWE.encrypt([1], header: [:], to: key.encryptionKey)
        #expect(try UnverifiedJWE(compact: token).decrypted(by: restored) == [1])
    }

    @Test func `the EC key of RFC 7517 A.2 is for encryption`() throws {
        let key = try DecryptionKey(privateJWK: Secret(RFCVectors.privateECKey))
        #expect(key.encryptionKey.jwk.use == .enc && key.encryptionKey.jwk.algorithm == "ECDH-ES")
        #expect(throws: Fault(.unfitKey)) {
            try SigningKey(privateJWK: Secret(RFCVectors.privateECKey), algorithm: .es256)
        }
    }

    @Test func `a key for signatures is not encrypted to`() throws {
        let jwk = Keys.es256.verificationKey.jwk
        #expect(throws: Fault(.unfitKey)) { try EncryptionKey(jwk) }
        #expect(try EncryptionKey(jwk.with(use: .enc, algorithm: nil, keyID: nil)).thumbprint == jwk.thumbprint)
        #expect(throws: Fault(.unfitKey)) {
            try EncryptionKey(jwk.with(use: .enc, algorithm: "ECDH-ES+A256KW", keyID: nil))
        }
        #expect(throws: Fault(.unfitKey)) {
            try EncryptionKey(Keys.rs256.verificationKey.jwk.with(use: .enc, algorithm: nil, keyID: nil))
        }
    }
}
