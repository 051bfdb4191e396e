import Basics
import IdentityClient
import JOSE
import TestSupport
import Testing

@Suite struct `A slot of the secret group` {
    private let slot = KeychainSlot(verifier: Secret("the-verifier"), nonce: "n-1", username: "alice")

    @Test(.rule("S17")) func `opens with the key of the one client that it is for, and with no other`() throws {
        let (own, other) = (try DecryptionKey.generate(), try DecryptionKey.generate())
        let sealed = try slot.sealed(to: own.encryptionKey)
        let opened = try KeychainSlot(sealed, openedBy: [own])
        #expect(opened.verifier == slot.verifier)
        #expect(opened.nonce == "n-1")
        #expect(opened.username == "alice")
        #expect(throws: Fault(.undecryptable)) { try KeychainSlot(sealed, openedBy: [other]) }
        #expect(!String(decoding: sealed.unmasked, as: UTF8.self).contains("the-verifier"))
    }

    @Test func `is refused when it was changed, or is another kind of token`() throws {
        let key = try DecryptionKey.generate()
        var bytes = try slot.sealed(to: key.encryptionKey).unmasked
        bytes[bytes.count - 5] ^= 1
        #expect(throws: Fault.self) { try KeychainSlot(Secret(bytes), openedBy: [key]) }
        let other = try JWE.encrypt(
            Array(#"{"code_verifier":"v","nonce":"n","username":"u"}"#.utf8),
            header: ["typ": "something-else", "kid": .string(key.encryptionKey.thumbprint.value)], to: key.encryptionKey
        )
        #expect(throws: Fault(.slotMissing)) { try KeychainSlot(Secret(Array(other.utf8)), openedBy: [key]) }
    }
}
