/// Keys made from other keys.
package enum KeyDerivation {
    /// HKDF with SHA-256 (RFC 5869).
    ///
    /// `count` is at most 8160 bytes (§2.3).
    package static func hkdfSHA256(secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        // RFC 5869 §2.3 has one byte for the number of the block; all callers ask for a constant far below.
        precondition((1...255 * 32).contains(count))
        let key = MessageAuthentication.hmacSHA256(key: salt, secret)
        var output: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 0
        while output.count < count {
            number += 1
            block = MessageAuthentication.hmacSHA256(key: key, block + info + [number])
            output += block
        }
        return Array(output.prefix(count))
    }

    /// The Concat KDF with SHA-256 for one 256-bit key, with the fields of JWE (RFC 7518 §4.6.2).
    ///
    /// `partyU` and `partyV` are the decoded values of `apu` and `apv`, empty where those are absent.
    package static func concatSHA256(
        sharedSecret: [UInt8], algorithm: String, partyU: [UInt8], partyV: [UInt8], keyBits: UInt32 = 256
    ) -> [UInt8] {
        // One round of SHA-256 gives 256 bits, and nothing here needs a longer key.
        precondition(keyBits <= 256)
        let input =
            bigEndian(1) + sharedSecret + counted(Array(algorithm.utf8)) + counted(partyU) + counted(partyV)
            + bigEndian(keyBits)
        return Array(Digest.sha256(input).prefix(Int(keyBits / 8)))
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt32(bytes.count)) + bytes }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
    }
}
