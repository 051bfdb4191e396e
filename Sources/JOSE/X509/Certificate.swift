package import Basics
import COpenSSL

/// An X.509 certificate (RFC 5280): what it says, before anybody has checked it.
package struct Certificate: Sendable {
    /// The certificate as DER.
    package let der: [UInt8]
    /// The common name of its subject.
    ///
    /// For people; names that count are the subject alternative ones.
    package let commonName: String?
    /// The DNS names, URIs and IP addresses that it speaks for.
    package let names: [SubjectAlternativeName]
    /// The first second at which it holds.
    package let notBefore: Timestamp
    /// The last second at which it holds.
    package let notAfter: Timestamp
    /// The serial number in hexadecimal.
    package let serial: String

    /// Reads the one certificate in a PEM text.
    ///
    /// - Throws: `invalid-certificate`.
    package init(pem: String) throws(Fault) {
        let pointer = PEM.readOne(pem) { PEM_read_bio_X509($0, nil, PEM.refusingPassword, nil) }
        guard let certificate = OpenSSLCertificate(adopting: pointer), let der = certificate.der else {
            forgetOpenSSLErrors()
            throw Fault(.invalidCertificate)
        }
        try self.init(der: der)
    }

    /// Reads a certificate in DER.
    ///
    /// - Throws: `invalid-certificate`.
    package init(der: [UInt8]) throws(Fault) {
        guard let certificate = OpenSSLCertificate(der: der), let notBefore = certificate.notBefore,
            let notAfter = certificate.notAfter
        else {
            forgetOpenSSLErrors()
            throw Fault(.invalidCertificate)
        }
        self.der = der
        self.notBefore = notBefore
        self.notAfter = notAfter
        commonName = certificate.commonName
        names = certificate.names
        serial = Hex.encode(certificate.serial)
    }

    /// The names as text.
    package var subjectAlternativeNames: [String] { names.map(\.text) }

    /// The SHA-256 of the DER in hexadecimal.
    package var fingerprint: String { Hex.encode(Digest.sha256(der)) }

    /// The certificate as PEM, with a newline at its end.
    package var pem: String {
        guard let certificate = OpenSSLCertificate(der: der),
            let text = PEM.text({ PEM_write_bio_X509($0, certificate.pointer) == 1 })
        else {
            // The initialiser has parsed these bytes, and writing to memory needs nothing else.
            fatalError("a certificate that was read cannot be written")
        }
        return text
    }

    /// The public key in it, without any word about its use.
    ///
    /// - Throws: `unsupported-key`.
    package func publicKey() throws(Fault) -> JWK {
        guard let certificate = OpenSSLCertificate(der: der),
            let key = OpenSSLKey(adopting: X509_get_pubkey(certificate.pointer)), let material = key.publicMaterial()
        else {
            forgetOpenSSLErrors()
            throw Fault(.unsupportedKey)
        }
        return JWK(material, use: nil, algorithm: nil, keyID: nil)
    }

    /// The RFC 7638 thumbprint of the public key in it.
    ///
    /// - Throws: `unsupported-key`.
    package func publicKeyThumbprint() throws(Fault) -> KeyThumbprint { try publicKey().thumbprint }

    /// The RFC 7638 thumbprint of the public key in it, where that key fits the algorithm.
    ///
    /// - Throws: `unsupported-key`, `unfit-key`.
    package func publicKeyThumbprint(for algorithm: SignatureAlgorithm) throws(Fault) -> KeyThumbprint {
        try VerificationKey(try publicKey(), algorithm: algorithm).thumbprint
    }
}

/// Certificates are equal when their bytes are.
extension Certificate: Hashable {
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }
    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
