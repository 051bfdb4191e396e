import Basics
import FoundationEssentials
import JOSE
import LinuxPlatform
import Testing

/// `apps add --csr`: requests as a program in any language makes them, here with `openssl req`.
@Suite(.serialized, .enabled(if: Tool.openssl.isInstalled, "openssl is not installed"))
struct CertificateRequestTests {
    private static let id = "com.example.own"

    /// What `openssl req` makes in the home's temporary folder, as `@FILE`.
    private func request(_ home: LabHome, _ name: String, _ arguments: String...) async throws -> String {
        let path = "\(home.root)/\(name).csr"
        let made = try await RunningProgram.start(
            try #require(Tool.openssl.path), ["req", "-new", "-out", path] + arguments, environment: home.environment)
        await made.ended().expect(0)
        return "@" + path
    }

    private func keyFile(_ home: LabHome, _ key: SigningKey, _ name: String) throws -> String {
        try home.file(name, try key.privateKeyPEM().unmasked)
    }

    @Test(arguments: [SignatureAlgorithm.es256, .edDSA, .ps256])
    func `an app's own request is signed, and its keys never move`(_ algorithm: SignatureAlgorithm) async throws {
        try await withLabHome(users: []) { home in
            let (id, own) = (Self.id, try OwnKeys(command: algorithm))
            let key = try keyFile(home, own.command, "own.key")
            let csr = try await request(home, "own", "-key", key, "-subj", "/O=Example/CN=\(id)")
            let add = [
                "apps", "add", id, "--scheme", id, "--json", "--jwks",
                "@" + (try home.file("keys.json", own.publicSet)), "--csr", csr,
            ]
            let added = try await home.run(.idp, add).expect(0).json()
            #expect(added["clientID"]?.stringValue == id)
            let folder = home.layout.app(id)
            #expect(added["folder"]?.stringValue == folder)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["app.yaml", "certificate.pem"])
            // The same profile as every app's: the app's name, nothing else of what was wished for.
            let certificate = try Certificate(
                pem: try String(contentsOfFile: folder + "/certificate.pem", encoding: .utf8))
            #expect(try certificate.publicKeyThumbprint(for: algorithm) == own.command.thumbprint)
            #expect(certificate.names == [.app(id)] && certificate.commonName == id)
            let authority = try Certificate(
                pem: try String(contentsOfFile: home.layout.authorityCertificate, encoding: .utf8))
            try CertificateChain.check(
                certificate, against: authority, at: certificate.notBefore, expecting: .app(id))
            // The same again is no change.
            try await home.run(.idp, add).expect(0)
        }
    }

    @Test
    func `a request of another name or key, with a weak key or a wrong signature is refused, and nothing is there`()
        async throws
    {
        try await withLabHome(users: []) { home in
            let (id, own, stranger) = (Self.id, try OwnKeys(), try OwnKeys())
            let set = "@" + (try home.file("keys.json", own.publicSet))
            func add(_ csr: String) async throws -> Finished {
                try await home.idp("apps", "add", id, "--scheme", id, "--jwks", set, "--csr", csr)
            }
            let (key, subject) = (try keyFile(home, own.command, "own.key"), "/CN=\(id)")
            let named = try await request(home, "named", "-key", key, "-subj", "/CN=com.example.other")
            try await add(named).expect(4, "request-for-other-name")
            let nameless = try await request(home, "nameless", "-key", key, "-subj", "/O=Example")
            try await add(nameless).expect(4, "request-for-other-name")
            let other = try await request(
                home, "other", "-key", try keyFile(home, stranger.command, "stranger.key"), "-subj", subject)
            try await add(other).expect(4, "request-for-other-key")
            let weak = try await request(
                home, "weak", "-newkey", "rsa:1024", "-nodes", "-keyout", home.root + "/weak.key", "-subj", subject)
            try await add(weak).expect(4, "unfit-key")
            let curve = try await request(
                home, "curve", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:secp224r1", "-nodes", "-keyout",
                home.root + "/curve.key", "-subj", subject)
            try await add(curve).expect(3, "unsupported-key")

            let good = try await request(home, "good", "-key", key, "-subj", subject)
            let lines = try String(contentsOfFile: String(good.dropFirst()), encoding: .utf8).split(separator: "\n")
            var der = [UInt8](try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined())))
            der[der.count - 10] ^= 1
            let forged = [String(lines[0]), Data(der).base64EncodedString(), String(lines[lines.count - 1])]
            try await add("@" + (try home.file("forged.csr", forged.joined(separator: "\n")))).expect(
                4, "bad-signature")
            try await add("@" + key).expect(3, "invalid-certificate")

            try await home.idp("apps", "add", id, "--scheme", id, "--csr", good).expect(2, "invalid-value")
            try await home.idp("apps", "show", id).expect(1, "unknown-app")
            try await add(good).expect(0)
            // Its next key is proved in the same way.
            let next = "@" + (try home.file("next.json", stranger.publicSet))
            try await home.idp("apps", "rotate", id, "--jwks", next, "--csr", good).expect(4, "request-for-other-key")
            try await home.idp("apps", "rotate", id, "--jwks", next, "--csr", other).expect(0)
        }
    }
}
