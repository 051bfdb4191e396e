import Basics
import JOSE
import Testing

/// Serialized, because one of them takes the generator away from the whole process.
@Suite(.serialized) struct RandomnessTests {
    @Test func `random bytes differ`() {
        #expect(RandomBytes.cryptographic(32) != RandomBytes.cryptographic(32))
        #expect(RandomBytes.cryptographic(0).isEmpty)
    }

    @Test func `two boxes of the same secret differ`() throws {
        let key = Secret([UInt8](repeating: 7, count: 32))
        let boxes = try (0..<2).map { _ in try SealedBox.seal(utf8("same"), key: key, associatedData: []) }
        #expect(boxes[0] != boxes[1])
    }

    @Test func `a seed decides bytes, keys, signatures and tokens until the generator is given back`() throws {
        func drawn(_ seed: UInt64) throws -> [String] {
            RandomBytes.dangerouslyReplaceOpenSSLRandomnessForSimulation(seed: seed)
            defer { RandomBytes.restoreOpenSSLRandomness() }
            let key = try SigningKey.generate(.es256)
            let receiver = try DecryptionKey.generate()
            return [
                Hex.encode(RandomBytes.cryptographic(21)), key.keyID, Base64URL.encode(try key.sign(utf8("message"))),
                try JWE.encrypt(utf8("message"), header: [:], to: receiver.encryptionKey),
            ]
        }
        let first = try drawn(1)
        let other = try drawn(2)
        #expect(try drawn(1) == first)
        for (left, right) in zip(first, other) { #expect(left != right) }
        let fresh = try SigningKey.generate(.es256)
        #expect(fresh.keyID != first[1] && fresh.keyID != other[1])
        #expect(try SigningKey.generate(.es256).keyID != fresh.keyID)
    }
}
