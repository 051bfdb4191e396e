package import Basics
package import JOSE
package import Platform

/// The keys that were made with the home.
private enum HomeKey: String {
    case authority = "ca.key"
    case providerES256 = "provider.es256"
    case providerRS256 = "provider.rs256"

    var algorithm: SignatureAlgorithm { self == .providerRS256 ? .rs256 : .es256 }
}

extension Home {
    private static let authorityLifetime = Duration.seconds(3_650 * 86_400)
    private static let serverLifetime = Duration.seconds(397 * 86_400)
    private static let appLifetime = Duration.seconds(730 * 86_400)

    /// The provider's keys for tokens: ES256 for apps that take part in hand-offs, RS256 for all others.
    ///
    /// - Throws: `home-incomplete` when one is missing.
    package func providerSigningKeys(
        _ environment: Environment
    ) async throws -> (es256: SigningKey, rs256: SigningKey) {
        try await withSecrets(environment) { secrets in
            (try await key(.providerES256, in: secrets), try await key(.providerRS256, in: secrets))
        }
    }

    /// The authority's certificate.
    ///
    /// - Throws: `home-incomplete` when it is missing, `invalid-certificate`.
    package func authorityCertificate() throws(Fault) -> Certificate {
        guard let bytes = try PrivateFile(path: layout.authorityCertificate).read(atMost: 65_536) else {
            throw Fault(.homeIncomplete, "The authority's certificate is missing: \(layout.authorityCertificate)")
        }
        return try Certificate(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// Certifies that a key is an app's; its name is `urn:countersign:app:ID`.
    package func issueAppCertificate(for id: String, key: JWK, _ environment: Environment) async throws -> Certificate {
        try GroupName.require(id)
        // A common name has 64 characters at most, and is for people only.
        return try await issue(
            LeafRequest(
                commonName: String(id.suffix(64)), subjectAlternativeNames: [.app(id)], publicKey: key,
                usage: .appIdentity, lifetime: Home.appLifetime), environment)
    }

    /// A new key and certificate for the home's https server; it lives in memory only.
    package func makeTLSIdentity(_ environment: Environment) async throws -> TLSIdentity {
        let key = try SigningKey.generate(.es256)
        var names: [SubjectAlternativeName] = [.dns("localhost"), .ip("127.0.0.1"), .ip("::1")]
        if let host = URLParts(issuer)?.host, !HomeAddress.isLoopback(host: host) {
            let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
            let isNumber = host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
            names.append(isNumber ? .ip(bare) : .dns(bare))
        }
        let leaf = try await issue(
            LeafRequest(
                commonName: "Countersign provider", subjectAlternativeNames: names, publicKey: key.verificationKey,
                usage: .serverTLS, lifetime: Home.serverLifetime), environment)
        return TLSIdentity(certificateChainPEM: leaf.pem, privateKeyPEM: try key.privateKeyPEM())
    }

    /// Makes what is missing of the home's keys, and the authority's certificate.
    func makeKeys(_ environment: Environment) async throws {
        let secrets = try await FileSecretStore.open(directory: layout.secrets, environment: environment)
        do {
            for name in [HomeKey.authority, .providerES256, .providerRS256]
            where try await secrets.read(name.rawValue) == nil {
                let made = try await environment.offload { try SigningKey.generate(name.algorithm).privateJWK() }
                try await secrets.write(name.rawValue, Secret(Array(made.unmasked.utf8)))
            }
            let authorityKey = try await key(.authority, in: secrets)
            _ = try PrivateDirectory(creating: layout.path + "/ca")
            let authority = try CertificateAuthority.make(
                commonName: "Countersign home \(authorityKey.keyID.prefix(12))", key: authorityKey,
                now: environment.now(), lifetime: Home.authorityLifetime, serial: Home.serial(environment))
            // Written anew after a making that was cut off: nobody has trusted the former one yet.
            try PrivateFile(path: layout.authorityCertificate).write(Array(authority.certificate.pem.utf8))
        } catch {
            await secrets.close()
            throw error
        }
        await secrets.close()
    }

    private func issue(_ request: LeafRequest, _ environment: Environment) async throws -> Certificate {
        try await withSecrets(environment) { secrets in
            let authority = try CertificateAuthority(
                certificate: try authorityCertificate(), key: try await key(.authority, in: secrets))
            return try authority.issue(request, now: environment.now(), serial: Home.serial(environment))
        }
    }

    private func key(_ name: HomeKey, in secrets: FileSecretStore) async throws -> SigningKey {
        guard let text = try await secrets.read(name.rawValue) else {
            throw Fault(.homeIncomplete, "The home's key \(name.rawValue) is missing.")
        }
        return try SigningKey(
            privateJWK: Secret(String(decoding: text.unmasked, as: UTF8.self)), algorithm: name.algorithm)
    }

    private func withSecrets<Result: Sendable>(
        _ environment: Environment, _ body: (FileSecretStore) async throws -> Result
    ) async throws -> Result {
        let secrets = try await openSecrets(environment)
        do {
            let result = try await body(secrets)
            await secrets.close()
            return result
        } catch {
            await secrets.close()
            throw error
        }
    }

    /// 126 random bits, positive and never of less than 16 bytes (RFC 5280 §4.1.2.2).
    private static func serial(_ environment: Environment) -> [UInt8] {
        var bytes = environment.randomBytes(16)
        bytes[0] = bytes[0] & 0x3F | 0x40
        return bytes
    }
}
