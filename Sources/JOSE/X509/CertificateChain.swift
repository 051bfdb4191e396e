package import Basics
import COpenSSL

/// Answers the one question about certificates: did this authority issue this leaf, for this name and this time.
package enum CertificateChain {
    /// Checks signature, issuer, dates, constraints (RFC 5280 §6) and name.
    ///
    /// - Throws: `certificate-not-trusted`, `certificate-out-of-date`, `certificate-name-mismatch`.
    package static func check(
        _ leaf: Certificate, against authority: Certificate, at now: Timestamp, expecting name: SubjectAlternativeName
    ) throws(Fault) {
        guard let leafPart = OpenSSLCertificate(der: leaf.der),
            let authorityPart = OpenSSLCertificate(der: authority.der)
        else { throw Fault(.certificateNotTrusted) }
        // An authority speaks for nobody: its certificate is no leaf, not even under itself.
        guard X509_check_ca(leafPart.pointer) == 0 else {
            throw Fault(.certificateNotTrusted, "The certificate is an authority's own.")
        }
        try checkPath(leafPart.pointer, authorityPart.pointer)
        try checkDates(of: leaf, at: now)
        try checkDates(of: authority, at: now)
        let expected = name.bytes
        guard expected != nil, leaf.names.contains(where: { $0.type == name.type && $0.bytes == expected }) else {
            throw Fault(.certificateNameMismatch)
        }
    }

    /// Both dates count as valid (RFC 5280 §4.1.2.5), each to the end of its second.
    private static func checkDates(of certificate: Certificate, at now: Timestamp) throws(Fault) {
        guard certificate.notBefore <= now, now < certificate.notAfter + .seconds(1) else {
            throw Fault(.certificateOutOfDate)
        }
    }

    private static func checkPath(_ leaf: OpaquePointer, _ authority: OpaquePointer) throws(Fault) {
        defer { forgetOpenSSLErrors() }
        guard let store = X509_STORE_new(), X509_STORE_add_cert(store, authority) == 1 else {
            throw Fault.openSSL("check a certificate")
        }
        defer { X509_STORE_free(store) }
        guard let context = X509_STORE_CTX_new(), X509_STORE_CTX_init(context, store, leaf, nil) == 1 else {
            throw Fault.openSSL("check a certificate")
        }
        defer { X509_STORE_CTX_free(context) }
        // OpenSSL would take the last second for one too late, so the dates are checked here.
        let flags = X509_V_FLAG_X509_STRICT | X509_V_FLAG_CHECK_SS_SIGNATURE | X509_V_FLAG_NO_CHECK_TIME
        X509_STORE_CTX_set_flags(context, UInt(flags))
        guard X509_verify_cert(context) != 1 else { return }
        let reason = X509_verify_cert_error_string(Int(X509_STORE_CTX_get_error(context)))
        throw Fault(.certificateNotTrusted, detail: reason.map { String(cString: $0) })
    }
}
