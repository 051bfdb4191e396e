import Basics
import Glibc
import Platform
import Synchronization
import Testing

@testable import LinuxPlatform

private func get(_ port: UInt16, _ path: String = "/", _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\(fields)\r\n"
}

@Suite struct HTTPServerTests {
    @Test func `a response carries a date and its length`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port))
                return try peer.readResponse()
            }
            let date = try #require(text.split(separator: "\r\n").first { $0.hasPrefix("Date: ") })
            #expect(date.hasSuffix(" GMT") && date.utf8.count == "Date: Sun, 06 Nov 1994 08:49:37 GMT".utf8.count)
            #expect(text.contains("\r\nContent-Length: "))
        }
        #expect(HTTPDate.text(seconds: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func `HEAD is answered without the body, with its length`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send("HEAD / HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n")
                return try peer.readAll()
            }
            #expect(status(text) == 200)
            #expect(text.hasSuffix("\r\n\r\n"))
            #expect(text.contains("\r\nContent-Length: ") && !text.contains("\r\nContent-Length: 0\r\n"))
        }
    }

    @Test(arguments: ["GET", "POST", "OPTIONS", "PUT", "DELETE"])
    func `the handler gets the method`(_ method: String) async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send("\(method) /a HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                return try peer.readResponse()
            }
            #expect(text.contains("\r\n\r\n\(method) /a ["))
        }
    }

    @Test func `requests sent at once are answered in order on one connection`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                let close = get(port, "/last", "Connection: close\r\n")
                peer.send((0..<20).map { get(port, "/\($0)") }.joined() + close)
                return try peer.readAll()
            }
            let paths = text.split(separator: "\r\n\r\nGET ").dropFirst().map { String($0.prefix { $0 != " " }) }
            #expect(paths == (0..<20).map { "/\($0)" } + ["/last"])
        }
    }

    @Test func `HTTP 1.0 and "close" end the connection, HTTP 1.1 keeps it`() async throws {
        try await withServer { _, port in
            try await onOwnThread {
                let old = try RawPeer(port: port)
                old.send("GET / HTTP/1.0\r\nHost: localhost:\(port)\r\n\r\n")
                #expect(status(try old.readAll()) == 200)
                let polite = try RawPeer(port: port)
                polite.send(get(port, "/", "Connection: TE, Close\r\n"))
                #expect(status(try polite.readAll()) == 200)
                let lasting = try RawPeer(port: port)
                for _ in 0..<3 {
                    lasting.send(get(port))
                    #expect(status(try lasting.readResponse()) == 200)
                }
            }
        }
    }

    @Test func `a peer that waits for the go-ahead gets it`() async throws {
        try await withServer { _, port in
            try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(
                    "POST / HTTP/1.1\r\nHost: localhost:\(port)\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
                #expect(status(try peer.readResponse()) == 100)
                peer.send("ok")
                #expect(try peer.readResponse().hasSuffix("] ok"))
            }
        }
    }

    @Test func `a peer that only listens after its request is answered`() async throws {
        try await withServer { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port))
                peer.finishSending()
                return try peer.readAll()
            }
            #expect(status(text) == 200)
        }
    }

    @Test func `a handler cannot write a line of its own into the response`() async throws {
        let handler = ClosureHandler { request in
            HTTPResponse(status: 302, headers: ["Location": request.path == "/bad" ? "/a\r\nSet-Cookie: b" : "/a"])
        }
        try await withServer(handler) { _, port in
            try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port, "/bad"))
                let bad = try peer.readResponse()
                #expect(status(bad) == 500 && !bad.contains("Set-Cookie"))
                peer.send(get(port, "/good"))
                #expect(status(try peer.readResponse()) == 302)
            }
        }
    }

    @Test func `a long answer reaches a slow reader whole`() async throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
        let handler = ClosureHandler { _ in HTTPResponse(status: 200, body: body) }
        try await withServer(handler) { _, port in
            try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port) + get(port, "/", "Connection: close\r\n"))
                #expect(try peer.readAll().utf8.count > 2 * body.count)
            }
        }
    }
}

@Suite struct HTTPServerDeadlineTests {
    @Test func `a peer that sends its request in drops is cut off`() async throws {
        var limits = HTTPLimits()
        limits.receive = .seconds(1)
        limits.linger = .milliseconds(200)
        try await withServer(limits: limits) { _, port in
            let (slow, quick) = try await onOwnThread {
                let peer = try RawPeer(port: port)
                // Far longer than the deadline, and never still for long.
                for byte in get(port, "/" + String(repeating: "a", count: 200)).utf8 {
                    guard peer.send([byte]) else { break }
                    usleep(20_000)
                }
                let other = try RawPeer(port: port)
                other.send(get(port))
                return (try peer.readAll(), try other.readResponse())
            }
            #expect(status(slow) == 408 || slow.isEmpty, "\(slow)")
            #expect(status(quick) == 200)
        }
    }

    @Test func `a slow peer that listens is told so`() async throws {
        var limits = HTTPLimits()
        limits.receive = .milliseconds(200)
        try await withServer(limits: limits) { _, port in
            let text = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send("POST / HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: 5\r\n\r\nhel")
                return try peer.readAll()
            }
            #expect(status(text) == 408)
        }
    }

    @Test func `a peer that says nothing is closed, and so is one that has nothing more to say`() async throws {
        var limits = HTTPLimits()
        // No shorter, for the one that is served: this process may pause between its connection and its request.
        limits.receive = .seconds(1)
        limits.idle = .seconds(1)
        try await withServer(limits: limits) { _, port in
            try await onOwnThread {
                #expect(try RawPeer(port: port).isClosed())
                let peer = try RawPeer(port: port)
                peer.send(get(port))
                #expect(status(try peer.readResponse()) == 200)
                #expect(try peer.isClosed())
            }
        }
    }

    @Test func `an overdue answer becomes 503, and its handler is cancelled`() async throws {
        var limits = HTTPLimits()
        limits.answer = .seconds(1)
        let cancelled = Signal()
        let handler = ClosureHandler { request in
            guard request.path == "/slow" else { return HTTPResponse(status: 204) }
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return HTTPResponse(status: 200)
        }
        try await withServer(handler, limits: limits) { _, port in
            let (slow, quick) = try await onOwnThread {
                let slow = try RawPeer(port: port)
                slow.send(get(port, "/slow"))
                let quick = try RawPeer(port: port)
                quick.send(get(port))
                return (try slow.readAll(), try quick.readResponse())
            }
            #expect(status(slow) == 503)
            #expect(status(quick) == 204)
            await cancelled.wait()
        }
    }

    @Test func `the connection above the cap is told that there is no room`() async throws {
        var limits = HTTPLimits()
        limits.connections = 2
        try await withServer(loops: 2, limits: limits) { _, port in
            try await onOwnThread {
                let first = try RawPeer(port: port)
                var second: RawPeer? = try RawPeer(port: port)
                for peer in [first, second] {
                    peer?.send(get(port))
                    #expect(status(try #require(try peer?.readResponse())) == 200)
                }
                let third = try RawPeer(port: port)
                let refusal = try third.readAll()
                #expect(status(refusal) == 503 && refusal.contains("\r\nRetry-After: "))
                second = nil
                // The server hears of it soon, and then there is room.
                var answer: Int?
                for _ in 0..<12_000 where answer != 200 {
                    let fourth = try RawPeer(port: port)
                    fourth.send(get(port))
                    answer = status(try fourth.readAllOrResponse())
                    if answer != 200 { usleep(5_000) }
                }
                #expect(answer == 200)
                first.send(get(port))
                #expect(status(try first.readResponse()) == 200)
            }
        }
    }

    @Test func `a peer that leaves frees its place while its handler still works`() async throws {
        var limits = HTTPLimits()
        limits.connections = 1
        let arrived = Signal()
        let release = Signal()
        let handler = ClosureHandler { request in
            guard request.path == "/wait" else { return HTTPResponse(status: 200) }
            arrived.open()
            await release.wait()
            return HTTPResponse(status: 200)
        }
        try await withServer(handler, limits: limits) { _, port in
            let leaver = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port, "/wait"))
                return LeavingPeer(peer)
            }
            await arrived.wait()
            leaver.leave()
            let answer = try await onOwnThread {
                var answer: Int?
                for _ in 0..<12_000 where answer != 200 {
                    let peer = try RawPeer(port: port)
                    peer.send(get(port))
                    answer = status(try peer.readAllOrResponse())
                    if answer != 200 { usleep(5_000) }
                }
                return answer
            }
            #expect(answer == 200)
            // The answer to nobody is dropped.
            release.open()
            let after = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port))
                return try peer.readAllOrResponse()
            }
            #expect(status(after) != nil)
        }
    }
}

extension RawPeer {
    /// A response, whether or not the connection stays open after it.
    func readAllOrResponse() throws -> String { (try? readResponse()) ?? "" }
}

private final class LeavingPeer: Sendable {
    private let peer: Mutex<RawPeer?>

    init(_ peer: RawPeer) { self.peer = Mutex(peer) }

    func leave() { peer.withLock { $0 = nil } }
}

@Suite struct HTTPServerDrainTests {
    @Test func `a drain closes idle connections, finishes open requests and takes no new ones`() async throws {
        let arrived = Signal()
        let release = Signal()
        let handler = ClosureHandler { request in
            guard request.path == "/wait" else { return HTTPResponse(status: 200) }
            arrived.open()
            await release.wait()
            return HTTPResponse(status: 200, body: Array("finished".utf8))
        }
        try await withServer(handler, loops: 2) { server, port in
            let (idle, busy) = try await onOwnThread {
                let idle = try RawPeer(port: port)
                idle.send(get(port))
                #expect(status(try idle.readResponse()) == 200)
                let busy = try RawPeer(port: port)
                busy.send(get(port, "/wait"))
                return (idle, busy)
            }
            await arrived.wait()
            async let stopped: Void = server.stop(grace: .seconds(20))
            let text = try await onOwnThread {
                #expect(try idle.isClosed())
                #expect(throws: RawPeer.Failure.self) { try RawPeer(port: port) }
                release.open()
                return try busy.readAll()
            }
            #expect(text.hasSuffix("finished") && text.contains("\r\nConnection: close\r\n"))
            await stopped
        }
    }

    @Test func `a request that outlasts the grace is cut off and cancelled`() async throws {
        let arrived = Signal()
        let cancelled = Signal()
        let handler = ClosureHandler { _ in
            arrived.open()
            await withTaskCancellationHandler {
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return HTTPResponse(status: 200)
        }
        try await withServer(handler) { server, port in
            let peer = try await onOwnThread {
                let peer = try RawPeer(port: port)
                peer.send(get(port))
                return peer
            }
            await arrived.wait()
            await server.stop(grace: .milliseconds(100))
            await cancelled.wait()
            #expect(try await onOwnThread { try peer.readAll() } == "")
        }
    }

    @Test func `a loop that ends first takes its connections with it`() async throws {
        let loop = try EventLoop.start(name: "test-loop")
        let configuration = HTTPServerConfiguration(
            addresses: [.tcp(address: "127.0.0.1", port: 0)], authority: .host("localhost"))
        let server = try await HTTPServer.start(configuration, handler: echo, loops: [loop])
        let port = try #require(server.port)
        let peer = try await onOwnThread {
            let peer = try RawPeer(port: port)
            peer.send(get(port))
            #expect(status(try peer.readResponse()) == 200)
            return peer
        }
        loop.stop()
        #expect(try await onOwnThread { try peer.isClosed() })
        await server.stop(grace: .seconds(1))
    }
}
