import Basics
import Testing

@testable import JOSE

@Suite struct SealedBoxTests {
    private let key = Secret([UInt8](repeating: 7, count: 32))

    @Test func `a box opens with its key and its data`() throws {
        let box = try SealedBox.seal(utf8("secret"), key: key, associatedData: utf8("slot"))
        #expect(box.count == 12 + 6 + 16)
        #expect(try SealedBox.open(box, key: key, associatedData: utf8("slot")) == utf8("secret"))
        #expect(throws: Fault(.undecryptable)) { try SealedBox.open(box, key: key, associatedData: utf8("slop")) }
        let other = Secret([UInt8](repeating: 8, count: 32))
        #expect(throws: Fault(.undecryptable)) { try SealedBox.open(box, key: other, associatedData: utf8("slot")) }
    }

    @Test func `a changed or shortened box does not open`() throws {
        let box = try SealedBox.seal(utf8("secret"), key: key, associatedData: [])
        for place in box.indices {
            var changed = box
            changed[place] ^= 1
            #expect(throws: Fault(.undecryptable)) { try SealedBox.open(changed, key: key, associatedData: []) }
        }
        for count in [0, 12, 27, box.count - 1] {
            #expect(throws: Fault(.undecryptable)) {
                try SealedBox.open(Array(box.prefix(count)), key: key, associatedData: [])
            }
        }
    }

    @Test func `nothing can be sealed too`() throws {
        let box = try SealedBox.seal([], key: key, associatedData: [])
        #expect(try SealedBox.open(box, key: key, associatedData: []).isEmpty)
    }

    @Test func `a key is 32 bytes`() {
        let short = Secret([UInt8](repeating: 7, count: 16))
        #expect(throws: Fault(.unfitKey)) { try SealedBox.seal([1], key: short, associatedData: []) }
        #expect(throws: Fault(.undecryptable)) {
            try SealedBox.open([UInt8](repeating: 0, count: 40), key: short, associatedData: [])
        }
    }

    @Test func `AES-256-GCM has the tag of its specification's test case 16`() throws {
        let sealed = try AESGCM.seal(
            bytes(
                hex: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
                    + "b16aedf5aa0de657ba637b39"),
            key: bytes(hex: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"),
            nonce: bytes(hex: "cafebabefacedbaddecaf888"),
            associatedData: bytes(hex: "feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        #expect(Hex.encode(sealed.tag) == "76fc6ece0f4e1768cddf8853bb2d551b")
        #expect(Hex.encode(sealed.ciphertext).hasPrefix("522dc1f099567d07f47f37a32a84427d"))
    }
}
