/// What is asked of a certificate authority for one certificate.
package struct LeafRequest: Sendable {
    /// What the certificate is for.
    package enum Usage: Sendable {
        /// A TLS server of this home.
        case serverTLS
        /// Who an app is: enrolment, and TLS as a client.
        case appIdentity
    }

    /// The subject's common name, at most 64 characters.
    package let commonName: String
    /// The names it speaks for.
    package let subjectAlternativeNames: [SubjectAlternativeName]
    /// The key it certifies.
    package let publicKey: JWK
    /// What it is for.
    package let usage: Usage
    /// How long it holds; never longer than the authority itself.
    package let lifetime: Duration

    package init(
        commonName: String, subjectAlternativeNames: [SubjectAlternativeName], publicKey: JWK, usage: Usage,
        lifetime: Duration
    ) {
        self.commonName = commonName
        self.subjectAlternativeNames = subjectAlternativeNames
        self.publicKey = publicKey
        self.usage = usage
        self.lifetime = lifetime
    }

    package init(
        commonName: String, subjectAlternativeNames: [SubjectAlternativeName], publicKey: VerificationKey,
        usage: Usage, lifetime: Duration
    ) {
        self.init(
            commonName: commonName, subjectAlternativeNames: subjectAlternativeNames, publicKey: publicKey.jwk,
            usage: usage, lifetime: lifetime)
    }
}
