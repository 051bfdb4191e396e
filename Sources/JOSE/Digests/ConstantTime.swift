import COpenSSL

/// Compares secrets in a time that depends on their lengths alone.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

/// Compares secrets in a time that depends on their lengths alone, by their UTF-8 bytes.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
    constantTimeEqual(Array(left.utf8), Array(right.utf8))
}
