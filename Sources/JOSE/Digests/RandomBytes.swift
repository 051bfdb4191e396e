import COpenSSL

/// Bytes that nobody can guess.
package enum RandomBytes {
    /// Bytes from OpenSSL's generator.
    ///
    /// For nonces in here, and for the live environment; everyone else asks the environment.
    package static func cryptographic(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard RAND_bytes(buffer.baseAddress, Int32(count)) == 1 else {
                // Without randomness there is no secret; to go on would be worse than to stop.
                fatalError("the random generator failed")
            }
            initialized = count
        }
    }

    /// Laboratory only: makes everything that OpenSSL draws, keys and nonces included, follow from the seed.
    ///
    /// Each thread has its own stream, started anew by every call. Nothing made while this holds is secret.
    // Never inlined, here and below: the state in the C header exists once per object file.
    @inline(never)
    package static func dangerouslyReplaceOpenSSLRandomnessForSimulation(seed: UInt64) {
        countersign_seed_randomness(seed)
    }

    /// Gives OpenSSL its own generator back.
    @inline(never)
    package static func restoreOpenSSLRandomness() { countersign_restore_randomness() }
}
