import COpenSSL

/// The two forms of a P-256 signature: DER, as OpenSSL has it, and r with s, as JWS has it (RFC 7518 §3.4).
enum ECDSASignature {
    /// Nil unless exactly 64 bytes.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let numbers = raw.withUnsafeBufferPointer { bytes in
            (BN_bin2bn(bytes.baseAddress, 32, nil), BN_bin2bn(bytes.baseAddress.map { $0 + 32 }, 32, nil))
        }
        guard ECDSA_SIG_set0(signature, numbers.0, numbers.1) == 1 else {
            BN_free(numbers.0)
            BN_free(numbers.1)
            return nil
        }
        // Two numbers of at most 33 bytes, each with a header of two, in a sequence with a header of two.
        return [UInt8](unsafeUninitializedCapacity: 72) { buffer, count in
            var end = buffer.baseAddress
            count = max(0, Int(i2d_ECDSA_SIG(signature, &end)))
        }
    }

    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        let signature = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &start, bytes.count)
        }
        guard let signature else { return nil }
        defer { ECDSA_SIG_free(signature) }
        var raw = [UInt8](repeating: 0, count: 64)
        let fits = raw.withUnsafeMutableBufferPointer { bytes in
            BN_bn2binpad(ECDSA_SIG_get0_r(signature), bytes.baseAddress, 32) == 32
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), bytes.baseAddress.map { $0 + 32 }, 32) == 32
        }
        return fits ? raw : nil
    }
}
