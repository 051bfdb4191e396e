package import Basics

/// base64url without padding (RFC 7515 §2, RFC 4648 §5), in its one canonical form.
package enum Base64URL {
    /// The text of some bytes.
    package static func encode(_ bytes: some Collection<UInt8>) -> String { Base64Alphabet.url.encode(bytes) }

    /// The bytes of a text.
    ///
    /// - Throws: `invalid-base64url` for padding, white space, other characters, an impossible length, or spare bits
    ///   that are not zero: else two texts would stand for the same bytes.
    package static func decode(_ text: some StringProtocol) throws(Fault) -> [UInt8] {
        guard let bytes = Base64Alphabet.url.decode(Array(text.utf8)[...]) else { throw Fault(.invalidBase64URL) }
        return bytes
    }
}

/// One of the two alphabets of RFC 4648, without padding.
struct Base64Alphabet: Sendable {
    /// §5: `-` and `_`.
    static let url = Base64Alphabet(last: "-_")
    /// §4: `+` and `/`.
    static let plain = Base64Alphabet(last: "+/")

    private let digits: [UInt8]
    /// The value of each byte, 255 where it is no digit.
    private let values: [UInt8]

    private init(last: String) {
        digits = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: some Collection<UInt8>) -> String {
        // One copy of the loop, over memory: a generic one would ask the collection for every byte.
        let done = bytes.withContiguousStorageIfAvailable(encode)
        return done ?? Array(bytes).withUnsafeBufferPointer(encode)
    }

    private func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { buffer in
            digits.withUnsafeBufferPointer { digits in
                var written = 0
                var pool: UInt32 = 0
                var bits: UInt32 = 0
                for byte in bytes {
                    pool = pool << 8 | UInt32(byte)
                    bits += 8
                    while bits >= 6 {
                        bits -= 6
                        buffer[written] = digits[Int(pool >> bits & 63)]
                        written += 1
                    }
                }
                if bits > 0 {
                    buffer[written] = digits[Int(pool << (6 - bits) & 63)]
                    written += 1
                }
                return written
            }
        }
    }

    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var isCanonical = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { buffer, written in
            isCanonical = values.withUnsafeBufferPointer { values in
                var pool: UInt32 = 0
                var bits: UInt32 = 0
                for digit in text {
                    let value = values[Int(digit)]
                    guard value != 255 else { return false }
                    pool = pool << 6 | UInt32(value)
                    bits += 6
                    if bits >= 8 {
                        bits -= 8
                        buffer[written] = UInt8(pool >> bits & 255)
                        written += 1
                    }
                }
                // What is left over must be zero, or several texts would stand for these bytes.
                return pool & (1 << bits - 1) == 0
            }
        }
        return isCanonical ? bytes : nil
    }
}
