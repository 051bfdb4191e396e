import Basics
import FoundationEssentials
import JOSE
import Testing

@Suite struct CertificateTests {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let authorityKey: SigningKey
    private let authority: CertificateAuthority

    init() throws {
        authorityKey = try SigningKey.generate(.es256)
        authority = try CertificateAuthority.make(
            commonName: "Test home", key: authorityKey, now: now, lifetime: .seconds(86_400 * 365), serial: [1])
    }

    private func request(
        _ names: [SubjectAlternativeName], _ key: VerificationKey = Keys.es256.verificationKey,
        lifetime: Duration = .seconds(86_400)
    ) -> LeafRequest {
        LeafRequest(
            commonName: "leaf", subjectAlternativeNames: names, publicKey: key, usage: .appIdentity, lifetime: lifetime)
    }

    @Test func `an authority's certificate says what it is, and comes back from PEM`() throws {
        let certificate = authority.certificate
        #expect(certificate.commonName == "Test home" && certificate.serial == "01" && certificate.names.isEmpty)
        #expect(certificate.notBefore == now && certificate.notAfter == now + .seconds(86_400 * 365))
        #expect(try certificate.publicKeyThumbprint() == authorityKey.thumbprint)
        let restored = try Certificate(pem: certificate.pem)
        #expect(restored == certificate && restored.pem == certificate.pem)
        #expect(restored.fingerprint == Hex.encode(Digest.sha256(certificate.der)))
        #expect(try CertificateAuthority(certificate: restored, key: authorityKey).certificate == certificate)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a key of any kind is certified, and can certify`(algorithm: SignatureAlgorithm) throws {
        let key = Keys.signing(algorithm)
        let leaf = try authority.issue(request([.app("notes")], key.verificationKey), now: now, serial: [2])
        #expect(try leaf.publicKeyThumbprint(for: algorithm) == key.thumbprint)
        try CertificateChain.check(leaf, against: authority.certificate, at: now, expecting: .app("notes"))
        let other = try CertificateAuthority.make(
            commonName: "Other", key: key, now: now, lifetime: .seconds(100), serial: [1])
        let second = try other.issue(request([.dns("b.test")]), now: now, serial: [3])
        try CertificateChain.check(second, against: other.certificate, at: now, expecting: .dns("b.test"))
    }

    @Test func `names of every kind are kept as they were asked for`() throws {
        let names: [SubjectAlternativeName] = [
            .dns("localhost"), .ip("127.0.0.1"), .ip("::1"), .uri("https://a.test/b"), .app("notes"),
        ]
        let leaf = try authority.issue(request(names), now: now, serial: [2])
        #expect(leaf.names == names)
        #expect(leaf.subjectAlternativeNames.last == "urn:countersign:app:notes")
        for name in names { try CertificateChain.check(leaf, against: authority.certificate, at: now, expecting: name) }
    }

    @Test func `a name counts as the kind it is`() throws {
        let leaf = try authority.issue(
            request([.dns("127.0.0.1"), .dns("A.test"), .app("notes")]), now: now, serial: [2])
        try CertificateChain.check(leaf, against: authority.certificate, at: now, expecting: .dns("a.TEST"))
        for wrong in [.ip("127.0.0.1"), .dns("b.test"), .app("note"), .app("Notes"), .uri("a.test"), .dns("")]
            as [SubjectAlternativeName]
        {
            #expect(throws: Fault(.certificateNameMismatch)) {
                try CertificateChain.check(leaf, against: authority.certificate, at: now, expecting: wrong)
            }
        }
    }

    @Test(
        arguments: [[], [.dns("")], [.dns("a b")], [.dns("é.test")], [.ip("1.2.3")], [.uri("a b")]]
            as [[SubjectAlternativeName]])
    func `a leaf without a proper name is not issued`(names: [SubjectAlternativeName]) {
        #expect(throws: Fault(.certificateRefused)) { try authority.issue(request(names), now: now, serial: [2]) }
    }

    @Test(arguments: [[], [0], [UInt8](repeating: 0x81, count: 20), [UInt8](repeating: 1, count: 21)] as [[UInt8]])
    func `a serial number is positive and at most 20 bytes`(serial: [UInt8]) throws {
        #expect(throws: Fault(.certificateRefused)) {
            try authority.issue(request([.app("notes")]), now: now, serial: serial)
        }
        let longest = [UInt8](repeating: 0x7F, count: 20)
        #expect(
            try authority.issue(request([.app("notes")]), now: now, serial: longest).serial == Hex.encode(longest))
    }

    @Test func `dates are kept to the second, at both ends`() throws {
        let leaf = try authority.issue(request([.app("notes")]), now: now + .seconds(100), serial: [2])
        for good in [leaf.notBefore, leaf.notAfter] {
            try CertificateChain.check(leaf, against: authority.certificate, at: good, expecting: .app("notes"))
        }
        for bad in [leaf.notBefore - .seconds(1), leaf.notAfter + .seconds(1), now + .seconds(86_400 * 366)] {
            #expect(throws: Fault(.certificateOutOfDate)) {
                try CertificateChain.check(leaf, against: authority.certificate, at: bad, expecting: .app("notes"))
            }
        }
    }

    @Test func `a leaf never outlives its authority`() throws {
        let long = request([.app("notes")], lifetime: .seconds(86_400 * 3_650))
        let leaf = try authority.issue(long, now: now, serial: [2])
        #expect(leaf.notAfter == authority.certificate.notAfter)
    }

    @Test func `another authority's leaf is refused, even under the same name`() throws {
        let otherKey = try SigningKey.generate(.es256)
        let other = try CertificateAuthority.make(
            commonName: "Test home", key: otherKey, now: now, lifetime: .seconds(86_400 * 365), serial: [1])
        let leaf = try other.issue(request([.app("notes")]), now: now, serial: [2])
        try CertificateChain.check(leaf, against: other.certificate, at: now, expecting: .app("notes"))
        #expect(throws: Fault(.certificateNotTrusted)) {
            try CertificateChain.check(leaf, against: authority.certificate, at: now, expecting: .app("notes"))
        }
        #expect(throws: Fault(.certificateRefused)) {
            try CertificateAuthority(certificate: authority.certificate, key: otherKey)
        }
    }

    @Test func `a changed certificate is refused`() throws {
        let leaf = try authority.issue(request([.app("notes")]), now: now, serial: [2])
        var der = leaf.der
        der[der.count - 5] ^= 1
        let changed = try Certificate(der: der)
        #expect(throws: Fault(.certificateNotTrusted)) {
            try CertificateChain.check(changed, against: authority.certificate, at: now, expecting: .app("notes"))
        }
    }

    @Test func `a leaf is no authority, and an authority is no leaf`() throws {
        let key = try SigningKey.generate(.es256)
        let leaf = try authority.issue(request([.app("notes")], key.verificationKey), now: now, serial: [2])
        #expect(throws: Fault(.certificateRefused)) { try CertificateAuthority(certificate: leaf, key: key) }
        #expect(throws: Fault(.certificateNotTrusted)) {
            try CertificateChain.check(
                authority.certificate, against: authority.certificate, at: now, expecting: .app("notes"))
        }
        #expect(throws: Fault(.certificateNotTrusted)) {
            try CertificateChain.check(leaf, against: leaf, at: now, expecting: .app("notes"))
        }
    }

    @Test func `PEM holds one certificate and nothing is cut off`() throws {
        let pem = authority.certificate.pem
        #expect(try Certificate(pem: "a comment\n" + pem) == authority.certificate)
        for bad in ["", "text", pem + pem, String(pem.dropLast(40)), try Keys.es256.privateKeyPEM().unmasked] {
            #expect(throws: Fault(.invalidCertificate)) { try Certificate(pem: bad) }
        }
        #expect(throws: Fault(.invalidCertificate)) { try Certificate(der: authority.certificate.der + [0]) }
    }

    @Test func `an encrypted block is refused without asking anybody`() throws {
        let lock = "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,000102030405060708090A0B0C0D0E0F\n\n"
        let pem = authority.certificate.pem
        let place = try #require(pem.firstRange(of: "-----\n"))
        let locked = pem[..<place.lowerBound] + lock + pem[place.upperBound...]
        #expect(throws: Fault(.invalidCertificate)) { try Certificate(pem: String(locked)) }
        #expect(try Certificate(pem: pem) == authority.certificate)
    }

    @Test func `an encryption key is certified for agreement`() throws {
        let key = try DecryptionKey.generate()
        let leaf = try authority.issue(
            LeafRequest(
                commonName: "leaf", subjectAlternativeNames: [.app("notes")], publicKey: key.encryptionKey.jwk,
                usage: .appIdentity, lifetime: .seconds(60)), now: now, serial: [2])
        #expect(try leaf.publicKeyThumbprint() == key.thumbprint)
        try CertificateChain.check(leaf, against: authority.certificate, at: now, expecting: .app("notes"))
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a request proves its key and states its wishes`(algorithm: SignatureAlgorithm) throws {
        let key = Keys.signing(algorithm)
        let pem = try CertificateRequest.make(
            commonName: "notes", subjectAlternativeNames: [.app("notes")], key: key)
        let request = try CertificateRequest(pem: pem)
        #expect(request.commonNames == ["notes"] && request.subjectAlternativeNames == [.app("notes")])
        #expect(request.publicKey.thumbprint == key.thumbprint)
        #expect(throws: Fault(.invalidCertificate)) { try CertificateRequest(pem: authority.certificate.pem) }
    }

    @Test func `a request that was changed after it was signed is refused`() throws {
        let pem = try CertificateRequest.make(commonName: "notes", subjectAlternativeNames: [], key: Keys.es256)
        let lines = pem.split(separator: "\n").map(String.init)
        var der = [UInt8](try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined())))
        let place = try #require(der.firstRange(of: utf8("notes")))
        der.replaceSubrange(place, with: utf8("other"))
        let changed = [lines[0], Data(der).base64EncodedString(), lines[lines.count - 1]].joined(separator: "\n")
        #expect(throws: Fault(.badSignature)) { try CertificateRequest(pem: changed) }
        #expect(try CertificateRequest(pem: pem).commonNames == ["notes"])
    }

    @Test func `a private key is written as PKCS 8`() throws {
        let pem = try Keys.es256.privateKeyPEM()
        #expect(pem.unmasked.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect("\(pem)" == "••••••••")
    }
}
