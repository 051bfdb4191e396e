import Basics
import JOSE
import LinuxPlatform
import Platform
import Testing

struct HomeKeyTests {
    let fixture: HomeFixture

    init() throws { fixture = try HomeFixture() }

    @Test func `the provider's keys are made once`() async throws {
        let home = try await fixture.make()
        let first = try await home.providerSigningKeys(fixture.environment)
        let second = try await fixture.make().providerSigningKeys(fixture.environment)
        #expect(first.es256.keyID == second.es256.keyID)
        #expect(first.rs256.keyID == second.rs256.keyID)
        #expect(first.rs256.algorithm == .rs256)
    }

    @Test func `the authority certifies an app's key under the app's name and no other`() async throws {
        let home = try await fixture.make()
        let key = try SigningKey.generate(.es256)
        let certificate = try await home.issueAppCertificate(
            for: "com.example.notes", key: key.verificationKey.jwk, fixture.environment)
        let authority = try home.authorityCertificate()
        let now = fixture.environment.now()
        #expect(try certificate.publicKeyThumbprint() == key.thumbprint)
        try CertificateChain.check(certificate, against: authority, at: now, expecting: .app("com.example.notes"))
        #expect(throws: Fault(.certificateNameMismatch)) {
            try CertificateChain.check(certificate, against: authority, at: now, expecting: .app("com.example.mail"))
        }
        let other = try await fixture.make(at: fixture.root + "/other").authorityCertificate()
        #expect(throws: Fault(.certificateNotTrusted)) {
            try CertificateChain.check(certificate, against: other, at: now, expecting: .app("com.example.notes"))
        }
        let again = try await home.issueAppCertificate(
            for: "com.example.notes", key: key.verificationKey.jwk, fixture.environment)
        #expect(again.serial != certificate.serial)
        await #expect(throws: Fault(.groupNameRefused)) {
            try await home.issueAppCertificate(for: "../notes", key: key.verificationKey.jwk, fixture.environment)
        }
    }

    @Test func `a server's certificate speaks for this machine and the public name`() async throws {
        let home = try await fixture.make(HomeSettings(publicURL: "https://idp.example", tls: true))
        let identity = try await home.makeTLSIdentity(fixture.environment)
        let leaf = try Certificate(pem: identity.certificateChainPEM)
        #expect(Set(leaf.names) == [.dns("localhost"), .ip("127.0.0.1"), .ip("::1"), .dns("idp.example")])
        try CertificateChain.check(
            leaf, against: home.authorityCertificate(), at: fixture.environment.now(), expecting: .dns("idp.example"))
        #expect(identity.privateKeyPEM.unmasked.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect("\(identity)".contains("PRIVATE") == false)
    }

    @Test(arguments: [false, true])
    func `the home's apps reach the provider through its socket, not its port`(tls: Bool) async throws {
        let home = try await fixture.make(HomeSettings(tls: tls))
        var configuration = try await home.serverConfiguration(
            variables: fixture.variables, environment: fixture.environment)
        #expect(configuration.addresses.count == 2)
        // The port is not even open.
        configuration.addresses.removeFirst()
        let loop = try EventLoop.start(name: "provider")
        let server = try await HTTPServer.start(configuration, handler: NobodyHome(), loops: [loop])
        let client = try CurlHTTPClient(home.clientConfiguration(variables: fixture.variables))
        #expect(try await client.send(HTTPCall("GET", home.issuer + "/")).status == 404)
        if tls {
            let stranger = try CurlHTTPClient(
                CurlHTTPClient.Configuration(routes: home.clientConfiguration(variables: fixture.variables).routes))
            await #expect(throws: Fault(.tlsRefused)) { try await stranger.send(HTTPCall("GET", home.issuer + "/")) }
            stranger.stop()
        }
        await server.stop(grace: .zero)
        await #expect(throws: Fault(.httpUnreachable)) { try await client.send(HTTPCall("GET", home.issuer + "/")) }
        client.stop()
        loop.stop()
    }
}
