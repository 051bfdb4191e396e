import Basics
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LinuxPlatform

/// A server that sends the bytes it is given, to each connection, whatever it is asked; then it closes.
private final class CannedServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let loop: EventLoop

    init(_ bytes: [UInt8]) async throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, length)
                _ = getsockname(socket, $0, &length)
            }
        }
        listen(socket, 16)
        descriptor = socket
        port = UInt16(bigEndian: address.sin_port)
        loop = try EventLoop.start(name: "test-canned")
        let loop = loop
        try await loop.run {
            _ = loop.watch(descriptor: socket, events: 2) { _ in
                let peer = accept(socket, nil, nil)
                guard peer >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 65_536)
                _ = recv(peer, &request, request.count, 0)
                _ = Glibc.send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(peer)
            }
        }
    }

    func stop() {
        loop.stop()
        close(descriptor)
    }
}

private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

@Suite struct CurlHTTPClientTests {
    @Test func `method, fields and body arrive as they were given`() async throws {
        try await withServer { _, port in
            let client = try CurlHTTPClient()
            let url = "http://localhost:\(port)/a%20b?c=d"
            let headers: HTTPHeaders = ["X-One": "1", "X-Empty": ""]
            let get = try await client.send(HTTPCall("GET", url, headers: headers))
            #expect(text(get).hasPrefix("GET /a%20b?c=d ["))
            #expect(text(get).contains(";X-One=1;X-Empty=]"))
            #expect(get.headers.single("content-type") == "text/plain")
            for method in ["POST", "PUT"] {
                let response = try await client.send(HTTPCall(method, url, body: Array("e=f".utf8)))
                #expect(text(response).hasPrefix("\(method) /a%20b?c=d [") && text(response).hasSuffix("] e=f"))
            }
            #expect(text(try await client.send(HTTPCall("POST", url))).contains(";Content-Length=0"))
            #expect(text(try await client.send(HTTPCall("DELETE", url))).hasPrefix("DELETE "))
            let head = try await client.send(HTTPCall("HEAD", url, maximumBytes: 1))
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test func `a connection is used again`() async throws {
        var limits = HTTPLimits()
        limits.connections = 1
        try await withServer(limits: limits) { _, port in
            let client = try CurlHTTPClient()
            for _ in 0..<5 {
                // A second connection would be refused.
                #expect(try await client.send(HTTPCall("GET", "http://localhost:\(port)/")).status == 200)
            }
        }
    }

    @Test func `a redirect is followed only when asked for`() async throws {
        let handler = ClosureHandler { request in
            request.path == "/from"
                ? HTTPResponse(status: 302, headers: ["Location": "/to", "X-Hop": "1"], body: Array("moved".utf8))
                : HTTPResponse(status: 200, body: Array("arrived".utf8))
        }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            var call = HTTPCall("GET", "http://localhost:\(port)/from")
            let first = try await client.send(call)
            #expect(first.status == 302 && first.headers.single("Location") == "/to")
            call.followsRedirects = true
            let last = try await client.send(call)
            #expect(last.status == 200 && text(last) == "arrived")
            #expect(last.headers.values("X-Hop").isEmpty)
        }
    }

    @Test func `a redirect elsewhere takes no credentials and no socket with it`() async throws {
        try await withServer { _, target in
            let handler = ClosureHandler { request in
                let location = request.path == "/self" ? "/to" : "http://localhost:\(target)/to"
                guard request.path != "/to" else { return await echo.respond(to: request) }
                return HTTPResponse(status: 307, headers: ["Location": location])
            }
            try await withFolder { folder in
                let path = "\(folder)/http"
                let addresses: [HTTPServerConfiguration.Address] = [
                    .tcp(address: "127.0.0.1", port: 0), .unix(path: path),
                ]
                try await withServer(handler, addresses: addresses) { _, port in
                    let client = try CurlHTTPClient(.init(routes: ["localhost:\(port)": .socket(path)]))
                    let headers: HTTPHeaders = ["Authorization": "a", "DPoP": "b", "X-Kept": "c"]
                    var call = HTTPCall(
                        "POST", "http://localhost:\(port)/self", headers: headers, body: Array("d".utf8),
                        followsRedirects: true)
                    let same = text(try await client.send(call))
                    #expect(same.contains("Authorization=a;DPoP=b;X-Kept=c") && same.hasSuffix("] d"))
                    call.url = "http://localhost:\(port)/other"
                    let other = text(try await client.send(call))
                    #expect(other.hasPrefix("POST /to [Host=localhost:\(target);") && other.hasSuffix("] d"))
                    #expect(!other.contains("Authorization") && !other.contains("DPoP") && other.contains("X-Kept=c"))
                }
            }
        }
    }

    @Test func `a redirect to http is not followed from https, and POST becomes GET where it should`() throws {
        let secure = HTTPCall("POST", "https://a.example/", headers: ["Content-Type": "x"], body: [1])
        #expect(throws: Fault(.httpUnreachable)) { try Redirect.call(after: secure, 302, to: "http://a.example/") }
        for status in [301, 302, 303] {
            let next = try Redirect.call(after: secure, status, to: "https://a.example/b")
            #expect(next.method == "GET" && next.body.isEmpty && next.headers == HTTPHeaders())
        }
        for status in [307, 308] {
            let next = try Redirect.call(after: secure, status, to: "https://a.example/b")
            #expect(next.method == "POST" && next.body == [1] && next.headers == secure.headers)
        }
    }

    @Test func `a circle of redirects ends`() async throws {
        let handler = ClosureHandler { _ in HTTPResponse(status: 302, headers: ["Location": "/"]) }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            await #expect(throws: Fault(.httpUnreachable)) {
                try await client.send(
                    HTTPCall("GET", "http://localhost:\(port)/", timeout: .seconds(120), followsRedirects: true))
            }
        }
    }

    @Test func `an answer above the cap is refused, at the cap it is taken`() async throws {
        let handler = ClosureHandler { _ in HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 1000)) }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            let url = "http://localhost:\(port)/"
            #expect(try await client.send(HTTPCall("GET", url, maximumBytes: 1000)).body.count == 1000)
            await #expect(throws: Fault(.httpTooLarge)) {
                try await client.send(HTTPCall("GET", url, maximumBytes: 999))
            }
        }
    }

    @Test func `the cap holds where the answer does not tell its length`() async throws {
        let body = String(repeating: "x", count: 2000)
        let server = try await CannedServer(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(body)".utf8))
        defer { server.stop() }
        let client = try CurlHTTPClient()
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(text(try await client.send(HTTPCall("GET", url, maximumBytes: 2000))) == body)
        await #expect(throws: Fault(.httpTooLarge)) {
            try await client.send(HTTPCall("GET", url, maximumBytes: 1999))
        }
    }

    @Test func `an answer that is not HTTP is a server that cannot be reached`() async throws {
        let server = try await CannedServer(Array("SSH-2.0-x\r\n".utf8))
        defer { server.stop() }
        let client = try CurlHTTPClient()
        await #expect(throws: Fault(.httpUnreachable)) {
            try await client.send(HTTPCall("GET", "http://127.0.0.1:\(server.port)/"))
        }
    }

    @Test(.rule("A077")) func `an answer that does not come in time is a timeout`() async throws {
        let release = Signal()
        let handler = ClosureHandler { request in
            if request.path == "/slow" { await release.wait() }
            return HTTPResponse(status: 200)
        }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            await #expect(throws: Fault(.httpTimeout)) {
                try await client.send(HTTPCall("GET", "http://localhost:\(port)/slow", timeout: .milliseconds(200)))
            }
            release.open()
            #expect(try await client.send(HTTPCall("GET", "http://localhost:\(port)/")).status == 200)
        }
    }

    @Test func `a server that is not there cannot be reached, and no path or query is named`() async throws {
        let port = try await withServer { _, port in port }
        let client = try CurlHTTPClient()
        let fault = try #require(
            await #expect(throws: Fault(.httpUnreachable)) {
                try await client.send(HTTPCall("GET", "http://localhost:\(port)/path?code=secret"))
            })
        #expect(fault.text.contains("localhost:\(port)"))
        #expect(!fault.text.contains("secret") && fault.detail?.contains("secret") != true)
    }

    @Test(arguments: ["ftp://localhost/", "localhost", "http://", "http://a@localhost/", "http://localhost/\r\nX: y"])
    func `an address that is no http URL is refused`(_ url: String) async throws {
        let client = try CurlHTTPClient()
        await #expect(throws: Fault(.httpUnreachable)) { try await client.send(HTTPCall("GET", url)) }
    }

    @Test func `a field with a line end is not sent`() async throws {
        try await withServer { _, port in
            let client = try CurlHTTPClient()
            let url = "http://localhost:\(port)/"
            await #expect(throws: Fault(.httpUnreachable)) {
                try await client.send(HTTPCall("GET", url, headers: ["A": "b\r\nC: d"]))
            }
            #expect(text(try await client.send(HTTPCall("GET", url, headers: ["A": "b C: d"]))).contains(";A=b C: d]"))
        }
    }

    @Test func `a routed authority is reached by its socket alone`() async throws {
        try await withServer { _, port in
            let missing = try CurlHTTPClient(.init(routes: ["LOCALHOST:\(port)": .socket("/nonexistent/http")]))
            await #expect(throws: Fault(.httpUnreachable)) {
                try await missing.send(HTTPCall("GET", "http://localhost:\(port)/"))
            }
            // Another authority is not routed: 421 is the TCP server's word.
            #expect(try await missing.send(HTTPCall("GET", "http://127.0.0.1:\(port)/")).status == 421)
        }
    }

    @Test func `loopback hosts are known in each of their forms`() throws {
        for url in [
            "http://localhost:1/", "http://LOCALHOST", "http://a.localhost/", "https://127.8.8.8:1?q", "http://[::1]/",
        ] {
            #expect(try CallTarget(url).isLoopback, "\(url)")
        }
        for url in ["http://localhost.example/", "http://127.0.0.1.example/", "http://128.0.0.1/", "http://[::2]/"] {
            #expect(try !CallTarget(url).isLoopback, "\(url)")
        }
    }
}

@Suite struct CurlCancellationTests {
    @Test func `a cancelled call ends at once, and the client goes on`() async throws {
        let arrived = Signal()
        let release = Signal()
        let handler = ClosureHandler { request in
            guard request.path == "/wait" else { return HTTPResponse(status: 204) }
            arrived.open()
            await release.wait()
            return HTTPResponse(status: 200)
        }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            let task = Task {
                try await client.send(HTTPCall("GET", "http://localhost:\(port)/wait", timeout: .seconds(100)))
            }
            await arrived.wait()
            task.cancel()
            // Were it not for the cancellation this would wait for the handler, and the handler for us.
            await #expect(throws: CancellationError.self) { try await task.value }
            release.open()
            #expect(try await client.send(HTTPCall("GET", "http://localhost:\(port)/")).status == 204)
        }
    }

    @Test func `a call that was cancelled before it began is not sent`() async throws {
        let count = Counter()
        let handler = ClosureHandler { _ in
            count.increment()
            return HTTPResponse(status: 204)
        }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            let start = Signal()
            let task = Task {
                await start.wait()
                return try await client.send(HTTPCall("GET", "http://localhost:\(port)/"))
            }
            task.cancel()
            start.open()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(count.value == 0)
            #expect(try await client.send(HTTPCall("GET", "http://localhost:\(port)/")).status == 204)
        }
    }

    @Test func `calls that are cancelled at any moment end exactly once`() async throws {
        try await withServer { _, port in
            let client = try CurlHTTPClient()
            // A checked continuation that is resumed twice ends the process; one that is not, this test.
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        let task = Task { try await client.send(HTTPCall("GET", "http://localhost:\(port)/")) }
                        for _ in 0..<(number % 40) { await Task.yield() }
                        if number % 3 != 0 { task.cancel() }
                        do {
                            return try await task.value.status == 200
                        } catch {
                            return error is CancellationError && number % 3 != 0
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 300 && outcomes.allSatisfy { $0 })
        }
    }

    @Test func `stopping the client ends its calls, and later ones`() async throws {
        let arrived = Signal()
        let release = Signal()
        let handler = ClosureHandler { _ in
            arrived.open()
            await release.wait()
            return HTTPResponse(status: 200)
        }
        try await withServer(handler) { _, port in
            let client = try CurlHTTPClient()
            let call = HTTPCall("GET", "http://localhost:\(port)/", timeout: .seconds(100))
            let task = Task { try await client.send(call) }
            await arrived.wait()
            client.stop()
            await #expect(throws: CancellationError.self) { try await task.value }
            await #expect(throws: CancellationError.self) { try await client.send(call) }
            release.open()
        }
    }
}

/// Counts, from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func increment() { count.add(1, ordering: .sequentiallyConsistent) }
}
