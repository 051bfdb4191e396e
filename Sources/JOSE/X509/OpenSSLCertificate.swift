import Basics
import COpenSSL

/// One certificate as OpenSSL holds it, within one function: a `Certificate` keeps its bytes only.
struct OpenSSLCertificate: ~Copyable {
    let pointer: OpaquePointer

    init?(adopting pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    /// Reads DER, all of it.
    init?(der: [UInt8]) {
        let pointer: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let pointer = d2i_X509(nil, &start, bytes.count) else { return nil }
            guard start == bytes.baseAddress.map({ $0 + bytes.count }) else {
                X509_free(pointer)
                return nil
            }
            return pointer
        }
        self.init(adopting: pointer)
    }

    deinit { X509_free(pointer) }

    var der: [UInt8]? {
        let count = i2d_X509(pointer, nil)
        guard count > 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var end = buffer.baseAddress
            initialized = max(0, Int(i2d_X509(pointer, &end)))
        }
    }

    var names: [SubjectAlternativeName] {
        let list = X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil)
        guard let names = GeneralNames(adopting: list.map { OpaquePointer($0) }) else { return [] }
        return names.names
    }

    var serial: [UInt8] {
        guard let number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil) else { return [] }
        defer { BN_free(number) }
        let count = (BN_num_bits(number) + 7) / 8
        var bytes = [UInt8](repeating: 0, count: Int(count))
        return BN_bn2binpad(number, &bytes, count) == count ? bytes : []
    }

    var notBefore: Timestamp? { OpenSSLCertificate.timestamp(X509_get0_notBefore(pointer)) }
    var notAfter: Timestamp? { OpenSSLCertificate.timestamp(X509_get0_notAfter(pointer)) }

    var commonName: String? {
        let name = X509_get_subject_name(pointer)
        let place = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard place >= 0, let text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, place)) else { return nil }
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text)))
        return String(validating: bytes, as: UTF8.self)
    }

    private static func timestamp(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp? {
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Timestamp(seconds: Int64(days) * 86_400 + Int64(seconds))
    }
}
