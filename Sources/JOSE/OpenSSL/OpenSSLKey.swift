import COpenSSL

/// One key as OpenSSL holds it.
///
/// `@unchecked Sendable`: an EVP_PKEY is reference counted and never changed after it was made; OpenSSL locks what it
/// caches inside.
final class OpenSSLKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over a key that OpenSSL made; nil stays nil.
    init?(adopting pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// The number of that name, big-endian; padded with zeroes to `width` where that is given.
    func number(_ name: String, width: Int? = nil) -> [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return nil }
        defer { BN_clear_free(number) }
        let count = width ?? (Int(BN_num_bits(number)) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: count)
        return BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count) ? bytes : nil
    }
}
