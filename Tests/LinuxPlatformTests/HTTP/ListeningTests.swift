import Basics
import Glibc
import Platform
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct ListeningTests {
    @Test func `a taken port is named, with the program that holds it`() async throws {
        try await withServer { _, port in
            let fault = try #require(
                await #expect(throws: Fault(.portTaken)) {
                    try await withServer(addresses: [.tcp(address: "127.0.0.1", port: port)]) { _, _ in }
                })
            #expect(fault.text.contains("Port \(port) "))
            #expect(fault.text.contains("(process \(getpid()))"), "\(fault.text)")
            #expect(fault.code.kind == .environment)
        }
    }

    @Test func `a loopback server answers at both families with one port`() async throws {
        try await withServer(addresses: [.loopback(port: 0)]) { server, port in
            #expect(server.authority == "localhost:\(port)")
            let client = try CurlHTTPClient()
            #expect(try await client.send(HTTPCall("GET", "http://localhost:\(port)/")).status == 200)
            // 421 is the server's own word: it heard the request at that address.
            #expect(try await client.send(HTTPCall("GET", "http://127.0.0.1:\(port)/")).status == 421)
            if access("/proc/net/if_inet6", F_OK) == 0 {
                #expect(try await client.send(HTTPCall("GET", "http://[::1]:\(port)/")).status == 421)
            }
        }
    }

    @Test func `an address that this machine does not have is refused`() async throws {
        await #expect(throws: Fault(.addressUnavailable)) {
            try await withServer(addresses: [.tcp(address: "192.0.2.1", port: 0)]) { _, _ in }
        }
        await #expect(throws: Fault(.addressUnavailable)) {
            try await withServer(addresses: [.tcp(address: "localhost", port: 0)]) { _, _ in }
        }
    }

    @Test(.rule("A184")) func `a Unix socket is the owner's alone, and goes with its server`() async throws {
        try await withFolder { folder in
            let path = "\(folder)/http"
            let addresses: [HTTPServerConfiguration.Address] = [.tcp(address: "127.0.0.1", port: 0), .unix(path: path)]
            try await withServer(addresses: addresses) { _, port in
                var status = stat()
                #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
                let client = try CurlHTTPClient(.init(routes: ["localhost:\(port)": .socket(path)]))
                let response = try await client.send(HTTPCall("GET", "http://localhost:\(port)/a"))
                #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("GET /a "))
                await #expect(throws: Fault(.portTaken)) {
                    try await withServer(addresses: addresses) { _, _ in }
                }
                #expect(access(path, F_OK) == 0)
            }
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `a dead socket's file is replaced, any other file is not`() async throws {
        try await withFolder { folder in
            let path = "\(folder)/http"
            defer { unlink(path) }
            let addresses: [HTTPServerConfiguration.Address] = [.tcp(address: "127.0.0.1", port: 0), .unix(path: path)]
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            close(dead)
            #expect(access(path, F_OK) == 0)
            try await withServer(addresses: addresses) { _, _ in
                _ = try await onOwnThread { try RawPeer(path: path) }
            }

            close(open(path, O_CREAT | O_WRONLY, 0o600))
            await #expect(throws: Fault(.portTaken)) { try await withServer(addresses: addresses) { _, _ in } }
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test func `a loopback port serves its handler until it is closed`() async throws {
        let loop = try EventLoop.start(name: "test-loop")
        defer { loop.stop() }
        let port = try await LinuxLoopbackListener(loops: [loop]).listen(echo)
        #expect(port.origin.hasPrefix("http://127.0.0.1:"))
        let client = try CurlHTTPClient()
        let response = try await client.send(HTTPCall("GET", "\(port.origin)/return?code=a"))
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("GET /return?code=a "))
        await port.close()
        await #expect(throws: Fault(.httpUnreachable)) {
            try await client.send(HTTPCall("GET", "\(port.origin)/"))
        }
    }
}
