import COpenSSL

/// Message digests.
package enum Digest {
    /// SHA-256 (FIPS 180-4).
    package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let done = bytes.withContiguousStorageIfAvailable(hash)
        return done ?? Array(bytes).withUnsafeBufferPointer(hash)
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            let done = EVP_Digest(bytes.baseAddress, bytes.count, buffer.baseAddress, nil, FetchedSHA256.pointer, nil)
            // SHA-256 over memory cannot fail once it has been fetched.
            precondition(done == 1)
            count = 32
        }
    }
}

/// SHA-256 as OpenSSL's provider has it, looked up once: `EVP_sha256()` is looked up again in every call.
enum FetchedSHA256 {
    static var pointer: OpaquePointer { holder.pointer }

    private static let holder = Holder()

    /// `@unchecked Sendable`: a fetched EVP_MD is never changed, and lives as long as the process.
    private final class Holder: @unchecked Sendable {
        let pointer: OpaquePointer
        init() {
            guard let pointer = EVP_MD_fetch(nil, "SHA256", nil) else {
                // Every OpenSSL provider has SHA-256; without it no rule of this product can be kept.
                fatalError("this OpenSSL has no SHA-256")
            }
            self.pointer = pointer
        }
    }
}
