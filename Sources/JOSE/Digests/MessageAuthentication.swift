import COpenSSL

/// Message authentication codes.
package enum MessageAuthentication {
    /// HMAC with SHA-256 (RFC 2104).
    package static func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        // An empty Swift array may have no address, and HMAC takes a missing key for "the one before".
        let key = key.isEmpty ? [0] : key
        return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            let done = HMAC(
                FetchedSHA256.pointer, key, Int32(key.count), message, message.count, buffer.baseAddress, nil)
            // HMAC over memory cannot fail once its digest has been fetched.
            precondition(done != nil)
            count = 32
        }
    }
}
