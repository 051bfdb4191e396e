package import Basics
import COpenSSL

/// The certificate authority of one home: it serves enrolment and TLS on this machine, and nothing else.
package struct CertificateAuthority: Sendable {
    /// Its own certificate, signed by itself.
    package let certificate: Certificate

    private let key: SigningKey

    /// Makes an authority that issues leaves only.
    ///
    /// - Throws: `certificate-refused`, `cryptography-failed`.
    package static func make(
        commonName: String, key: SigningKey, now: Timestamp, lifetime: Duration, serial: [UInt8]
    ) throws(Fault) -> CertificateAuthority {
        let draft = try CertificateDraft()
        try draft.setSerial(serial)
        try draft.setDates(from: now, to: now + lifetime)
        try draft.setSubject(commonName: commonName)
        try draft.setIssuer(nil)
        try draft.setKey(key.verificationKey.key)
        try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0", issuer: nil)
        try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer: nil)
        try draft.add(NID_subject_key_identifier, "hash", issuer: nil)
        return CertificateAuthority(unchecked: try draft.sign(by: key), key: key)
    }

    /// Takes an authority made before.
    ///
    /// - Throws: `certificate-refused` where the certificate is not for that key, or not an authority's.
    package init(certificate: Certificate, key: SigningKey) throws(Fault) {
        guard try certificate.publicKeyThumbprint() == key.thumbprint else {
            throw Fault(.certificateRefused, "The authority's certificate is for another key.")
        }
        guard let parsed = OpenSSLCertificate(der: certificate.der), X509_check_ca(parsed.pointer) == 1 else {
            throw Fault(.certificateRefused, "The certificate is not an authority's (RFC 5280 §4.2.1.9).")
        }
        self.init(unchecked: certificate, key: key)
    }

    private init(unchecked certificate: Certificate, key: SigningKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Issues one certificate, from `now` for its lifetime but not beyond the authority's own end.
    ///
    /// - Throws: `certificate-refused`, `unfit-key`, `cryptography-failed`.
    package func issue(_ request: LeafRequest, now: Timestamp, serial: [UInt8]) throws(Fault) -> Certificate {
        guard !request.subjectAlternativeNames.isEmpty else {
            throw Fault(.certificateRefused, "A certificate needs a subject alternative name.")
        }
        guard let issuer = OpenSSLCertificate(der: certificate.der) else { throw Fault.openSSL("issue a certificate") }
        let draft = try CertificateDraft()
        try draft.setSerial(serial)
        try draft.setDates(from: now, to: min(now + request.lifetime, certificate.notAfter))
        try draft.setSubject(commonName: request.commonName)
        try draft.setIssuer(issuer.pointer)
        try draft.setKey(try OpenSSLKey.make(request.publicKey.material))
        try draft.add(NID_basic_constraints, "critical,CA:FALSE", issuer: issuer.pointer)
        let isForEncryption = request.publicKey.use == .enc
        try draft.add(
            NID_key_usage, isForEncryption ? "critical,keyAgreement" : "critical,digitalSignature",
            issuer: issuer.pointer)
        let purpose =
            switch request.usage {
            case .serverTLS: "serverAuth"
            case .appIdentity: "clientAuth"
            }
        try draft.add(NID_ext_key_usage, purpose, issuer: issuer.pointer)
        try draft.add(NID_subject_key_identifier, "hash", issuer: issuer.pointer)
        try draft.add(NID_authority_key_identifier, "keyid:always", issuer: issuer.pointer)
        try draft.addNames(request.subjectAlternativeNames)
        return try draft.sign(by: key)
    }
}
