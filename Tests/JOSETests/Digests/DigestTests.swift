import JOSE
import Testing

@Suite struct DigestTests {
    @Test func `SHA-256 has the digests of FIPS 180-4`() {
        #expect(
            Hex.encode(Digest.sha256(utf8("abc"))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            Hex.encode(Digest.sha256([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `a slice has the digest of its own bytes`() {
        #expect(Digest.sha256(utf8("xabcx")[1..<4]) == Digest.sha256(utf8("abc")))
        #expect(Digest.sha256("abc".utf8) == Digest.sha256(utf8("abc")))
    }

    @Test func `the challenge of RFC 7636 B comes from its verifier`() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(Base64URL.encode(Digest.sha256(utf8(verifier))) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `HMAC has the code of RFC 4231 §4.3`() {
        let code = MessageAuthentication.hmacSHA256(key: utf8("Jefe"), utf8("what do ya want for nothing?"))
        #expect(Hex.encode(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func `HMAC with an empty key is the one with a zero key`() {
        #expect(
            Hex.encode(MessageAuthentication.hmacSHA256(key: [], []))
                == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }

    @Test func `HKDF has the keys of RFC 5869 A.1 and A.3`() {
        let first = KeyDerivation.hkdfSHA256(
            secret: [UInt8](repeating: 0x0B, count: 22), salt: bytes(hex: "000102030405060708090a0b0c"),
            info: bytes(hex: "f0f1f2f3f4f5f6f7f8f9"), count: 42)
        #expect(
            Hex.encode(first)
                == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        let third = KeyDerivation.hkdfSHA256(
            secret: [UInt8](repeating: 0x0B, count: 22), salt: [], info: [], count: 42)
        #expect(
            Hex.encode(third)
                == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
    }

    @Test func `secrets are equal when every byte is`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual("state", "state"))
        #expect(!constantTimeEqual("state", "State"))
        // One letter for Swift, two texts for a protocol.
        #expect(!constantTimeEqual("\u{E9}", "e\u{301}"))
    }
}
