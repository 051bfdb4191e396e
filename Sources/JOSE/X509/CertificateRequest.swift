package import Basics
import COpenSSL

/// A certificate request (PKCS #10, RFC 2986) whose signature holds: whoever made it has the private key.
package struct CertificateRequest: Sendable {
    /// The common name that it asks for.
    package let commonName: String?
    /// The names that it asks for: a wish, which the registry decides on.
    package let subjectAlternativeNames: [SubjectAlternativeName]
    /// Its public key.
    package let publicKey: JWK

    /// Reads the one request in a PEM text and checks its signature.
    ///
    /// - Throws: `invalid-certificate`, `unsupported-key`, `bad-signature`.
    package init(pem: String) throws(Fault) {
        defer { forgetOpenSSLErrors() }
        guard let request = PEM.readOne(pem, { PEM_read_bio_X509_REQ($0, nil, PEM.refusingPassword, nil) }) else {
            throw Fault(.invalidCertificate)
        }
        defer { X509_REQ_free(request) }
        guard let key = OpenSSLKey(adopting: X509_REQ_get_pubkey(request)), let material = key.publicMaterial() else {
            throw Fault(.unsupportedKey)
        }
        guard X509_REQ_verify(request, key.pointer) == 1 else { throw Fault(.badSignature) }
        publicKey = JWK(material, use: nil, algorithm: nil, keyID: nil)
        commonName = CertificateRequest.commonName(of: request)
        if let names = GeneralNames(adopting: countersign_request_names(request)) {
            subjectAlternativeNames = names.names
        } else {
            subjectAlternativeNames = []
        }
    }

    /// Makes a request for a key of one's own, as PEM.
    ///
    /// - Throws: `certificate-refused`, `cryptography-failed`.
    package static func make(
        commonName: String, subjectAlternativeNames: [SubjectAlternativeName], key: SigningKey
    ) throws(Fault) -> String {
        guard let request = X509_REQ_new() else { throw Fault.openSSL("make a certificate request") }
        defer { X509_REQ_free(request) }
        let text = Array(commonName.utf8)
        let names = try GeneralNames(subjectAlternativeNames)
        guard X509_REQ_set_version(request, 0) == 1, X509_REQ_set_pubkey(request, key.key.pointer) == 1,
            X509_NAME_add_entry_by_NID(
                X509_REQ_get_subject_name(request), NID_commonName, MBSTRING_UTF8, text, Int32(text.count), -1, 0)
                == 1,
            countersign_request_add_names(request, names.pointer) == 1,
            X509_REQ_sign(request, key.key.pointer, key.algorithm == .edDSA ? nil : FetchedSHA256.pointer) > 0,
            let pem = PEM.text({ PEM_write_bio_X509_REQ($0, request) == 1 })
        else { throw Fault.openSSL("make a certificate request") }
        return pem
    }

    private static func commonName(of request: OpaquePointer) -> String? {
        let name = X509_REQ_get_subject_name(request)
        let place = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard place >= 0, let text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, place)) else { return nil }
        let bytes = UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text)))
        return String(validating: bytes, as: UTF8.self)
    }
}
