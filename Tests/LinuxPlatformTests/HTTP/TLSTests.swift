import Basics
import Glibc
import Platform
import Testing

@testable import LinuxPlatform

/// Runs `body` with a certificate for `localhost`, made by the openssl program; its own authority, as a file.
private func withIdentity<Result>(_ body: (TLSIdentity, String) async throws -> Result) async throws -> Result {
    try await withFolder { folder in
        let certificate = "\(folder)/certificate.pem"
        let key = "\(folder)/key.pem"
        defer { for file in [certificate, key] { unlink(file) } }
        _ = try await output(
            of: "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
            ])
        let identity = TLSIdentity(
            certificateChainPEM: try text(certificate), privateKeyPEM: Secret(try text(key)))
        return try await body(identity, certificate)
    }
}

private func text(_ path: String) throws -> String {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(file, &buffer, buffer.count)
    try #require(count > 0)
    return String(decoding: buffer[..<count], as: UTF8.self)
}

/// What the openssl program tells of a connection with that one version.
private func greeting(of version: String, _ port: UInt16) async throws -> String {
    try await output(
        of: "openssl", ["s_client", "-connect", "127.0.0.1:\(port)", version, "-cipher", "DEFAULT@SECLEVEL=0"])
}

@Suite struct TLSTests {
    @Test func `a client that trusts the authority is served, another one refuses`() async throws {
        try await withIdentity { identity, file in
            try await withServer(tls: identity) { _, port in
                let call = HTTPCall(
                    "POST", "https://localhost:\(port)/a", body: [UInt8](repeating: UInt8(ascii: "b"), count: 60_000))
                let trusting = try CurlHTTPClient(.init(authorityFile: file))
                for _ in 0..<3 {
                    let response = try await trusting.send(call)
                    #expect(response.status == 200 && response.body.count > 60_000)
                }
                let other = try CurlHTTPClient()
                await #expect(throws: Fault(.tlsRefused)) { try await other.send(call) }
                let unreadable = try CurlHTTPClient(.init(authorityFile: "\(file).missing"))
                await #expect(throws: Fault(.tlsRefused)) { try await unreadable.send(call) }
                // The certificate is for the name, not for the number.
                let number = HTTPCall("GET", "https://127.0.0.1:\(port)/")
                await #expect(throws: Fault(.tlsRefused)) { try await trusting.send(number) }
            }
        }
    }

    @Test func `TLS 1.2 and 1.3 are spoken, TLS 1.1 is refused`() async throws {
        try await withIdentity { identity, _ in
            try await withServer(tls: identity) { _, port in
                let tls12 = try await greeting(of: "-tls1_2", port)
                #expect(tls12.contains("Protocol  : TLSv1.2"))
                let tls13 = try await greeting(of: "-tls1_3", port)
                #expect(tls13.contains("New, TLSv1.3"))
                let tls11 = try await greeting(of: "-tls1_1", port)
                #expect(tls11.contains("protocol version"))
            }
        }
    }

    @Test func `plain HTTP at a TLS port is closed without an answer`() async throws {
        try await withIdentity { identity, _ in
            try await withServer(tls: identity) { _, port in
                let text = try await onOwnThread {
                    let peer = try RawPeer(port: port)
                    peer.send("GET / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                    return try peer.readAll()
                }
                #expect(!text.contains("HTTP/1.1"))
            }
        }
    }

    @Test func `a TLS greeting at a plain port is refused at once`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send([0x16, 0x03, 0x01, 0x00, 0x05, 0x01])
                return try peer.readAll()
            }
            #expect(status(text) == 400)
        }
    }

    @Test func `a key that is another certificate's is refused`() async throws {
        try await withIdentity { first, _ in
            try await withIdentity { second, _ in
                let mixed = TLSIdentity(
                    certificateChainPEM: first.certificateChainPEM, privateKeyPEM: second.privateKeyPEM)
                await #expect(throws: Fault(.tlsIdentityUnusable)) { try await withServer(tls: mixed) { _, _ in } }
                let empty = TLSIdentity(certificateChainPEM: "", privateKeyPEM: first.privateKeyPEM)
                await #expect(throws: Fault(.tlsIdentityUnusable)) { try await withServer(tls: empty) { _, _ in } }
                try await withServer(tls: first) { _, _ in }
            }
        }
    }

    @Test func `a client's socket may be plain where its URL is https`() async throws {
        try await withFolder { folder in
            let path = "\(folder)/http"
            let addresses: [HTTPServerConfiguration.Address] = [.tcp(address: "127.0.0.1", port: 0), .unix(path: path)]
            try await withServer(addresses: addresses) { _, port in
                let call = HTTPCall("GET", "https://localhost:\(port)/")
                let plain = try CurlHTTPClient(.init(routes: ["localhost:\(port)": .plainSocket(path)]))
                #expect(try await plain.send(call).status == 200)
                let strict = try CurlHTTPClient(.init(routes: ["localhost:\(port)": .socket(path)]))
                await #expect(throws: Fault(.tlsRefused)) { try await strict.send(call) }
            }
        }
    }
}
