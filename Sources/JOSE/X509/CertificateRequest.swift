package import Basics
import COpenSSL

/// A certificate request (PKCS #10, RFC 2986) whose signature holds: whoever made it has the private key.
package struct CertificateRequest: Sendable {
    /// The common names that it asks for; one that is no text is empty.
    package let commonNames: [String]
    /// The names that it asks for: a wish, which the registry decides on.
    package let subjectAlternativeNames: [SubjectAlternativeName]
    /// Its public key: one that is strong enough to sign with.
    package let publicKey: JWK

    /// Reads the one request in a PEM text, and checks its key and its signature.
    ///
    /// - Throws: `invalid-certificate`, `unsupported-key`, `unfit-key`, `bad-signature`.
    package init(pem: String) throws(Fault) {
        defer { forgetOpenSSLErrors() }
        guard let request = PEM.readOne(pem, { PEM_read_bio_X509_REQ($0, nil, PEM.refusingPassword, nil) }) else {
            throw Fault(.invalidCertificate)
        }
        defer { X509_REQ_free(request) }
        guard let key = OpenSSLKey(adopting: X509_REQ_get_pubkey(request)), let material = key.publicMaterial() else {
            throw Fault(.unsupportedKey)
        }
        publicKey = JWK(material, use: nil, algorithm: nil, keyID: nil)
        // The key first: under a weak one, any signature may hold.
        _ = try VerificationKey(publicKey, algorithm: CertificateRequest.algorithm(of: material))
        guard X509_REQ_verify(request, key.pointer) == 1 else {
            throw Fault(
                .badSignature, "The request's signature does not fit its key.",
                next: "Make the request anew with the private key that belongs to it.")
        }
        commonNames = CertificateRequest.commonNames(of: request)
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

    /// What a key of that kind signs with, for the check of its strength.
    private static func algorithm(of material: PublicKeyMaterial) -> SignatureAlgorithm {
        switch material {
        case .p256: .es256
        case .rsa: .ps256
        case .ed25519: .edDSA
        }
    }

    private static func commonNames(of request: OpaquePointer) -> [String] {
        let subject = X509_REQ_get_subject_name(request)
        var names: [String] = []
        var place = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        while place >= 0 {
            names.append(text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, place))))
            place = X509_NAME_get_index_by_NID(subject, NID_commonName, place)
        }
        return names
    }

    /// The text of an ASN.1 string of any of its types.
    private static func text(_ string: UnsafeMutablePointer<ASN1_STRING>?) -> String {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&bytes, string)
        guard count >= 0 else { return "" }
        defer { countersign_free(bytes) }
        return String(validating: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self) ?? ""
    }
}
