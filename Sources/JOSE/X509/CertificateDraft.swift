import Basics
import COpenSSL

/// A certificate in the making.
///
/// Every step throws; `sign` ends it.
struct CertificateDraft: ~Copyable {
    private let pointer: OpaquePointer

    init() throws(Fault) {
        // Version 3 is written as 2 (RFC 5280 §4.1.2.1).
        guard let pointer = X509_new(), X509_set_version(pointer, 2) == 1 else {
            throw Fault.openSSL("make a certificate")
        }
        self.pointer = pointer
    }

    deinit { X509_free(pointer) }

    /// Sets the serial number: 1 to 20 bytes, positive (RFC 5280 §4.1.2.2).
    func setSerial(_ bytes: [UInt8]) throws(Fault) {
        guard (1...20).contains(bytes.count), bytes.contains(where: { $0 != 0 }), bytes[0] < 0x80 || bytes.count < 20
        else { throw Fault(.certificateRefused, "A serial number is 1 to 20 bytes and positive (RFC 5280 §4.1.2.2).") }
        let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
        defer { BN_free(number) }
        let serial = BN_to_ASN1_INTEGER(number, nil)
        defer { ASN1_INTEGER_free(serial) }
        try require(X509_set_serialNumber(pointer, serial) == 1)
    }

    func setDates(from start: Timestamp, to end: Timestamp) throws(Fault) {
        guard start < end, start.seconds >= 0, end.seconds < 253_402_300_800 else {
            throw Fault(.certificateRefused, "A certificate ends after it begins.")
        }
        try require(ASN1_TIME_set(X509_getm_notBefore(pointer), Int(start.seconds)) != nil)
        try require(ASN1_TIME_set(X509_getm_notAfter(pointer), Int(end.seconds)) != nil)
    }

    func setSubject(commonName: String) throws(Fault) {
        guard (1...64).contains(commonName.unicodeScalars.count) else {
            throw Fault(.certificateRefused, "A common name has 1 to 64 characters (RFC 5280, ub-common-name).")
        }
        let text = Array(commonName.utf8)
        try require(
            X509_NAME_add_entry_by_NID(
                X509_get_subject_name(pointer), NID_commonName, MBSTRING_UTF8, text, Int32(text.count), -1, 0) == 1)
    }

    func setKey(_ key: OpenSSLKey) throws(Fault) { try require(X509_set_pubkey(pointer, key.pointer) == 1) }

    /// Names the issuer; the draft itself where that is nil.
    func setIssuer(_ issuer: OpaquePointer?) throws(Fault) {
        try require(X509_set_issuer_name(pointer, X509_get_subject_name(issuer ?? pointer)) == 1)
    }

    /// Adds an extension in OpenSSL's words, all of them constants of ours.
    ///
    /// Needs the issuer for key identifiers.
    func add(_ extensionID: Int32, _ value: String, issuer: OpaquePointer?) throws(Fault) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer ?? pointer, pointer, nil, nil, 0)
        let made = X509V3_EXT_nconf_nid(nil, &context, extensionID, value)
        defer { X509_EXTENSION_free(made) }
        try require(made != nil && X509_add_ext(pointer, made, -1) == 1)
    }

    func addNames(_ names: [SubjectAlternativeName]) throws(Fault) {
        guard !names.isEmpty else { return }
        let list = try GeneralNames(names)
        try require(
            X509_add1_ext_i2d(pointer, NID_subject_alt_name, UnsafeMutableRawPointer(list.pointer), 0, 0) == 1)
    }

    /// Signs.
    ///
    /// RSA keys use PKCS #1 v1.5 here, PS256 or not: that is what every reader of certificates takes.
    func sign(by key: SigningKey) throws(Fault) -> Certificate {
        let digest = key.algorithm == .edDSA ? nil : FetchedSHA256.pointer
        try require(X509_sign(pointer, key.key.pointer, digest) > 0)
        let count = i2d_X509(pointer, nil)
        try require(count > 0)
        let der = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            var end = buffer.baseAddress
            initialized = max(0, Int(i2d_X509(pointer, &end)))
        }
        return try Certificate(der: der)
    }

    private func require(_ done: Bool) throws(Fault) {
        guard done else { throw Fault.openSSL("make a certificate") }
    }
}
