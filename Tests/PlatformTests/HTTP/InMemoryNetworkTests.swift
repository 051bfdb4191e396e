import Basics
import Platform
import Testing

/// A handler in one closure.
private struct Handler: HTTPHandler {
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse

    func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }
}

private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

private let echo = Handler { request in
    let line = "\(request.method) \(request.path) \(request.query ?? "-") \(request.headers.single("Host") ?? "-")"
    return HTTPResponse(status: 200, body: Array(line.utf8) + request.body)
}

@Suite struct `The network in memory` {
    @Test func `goes by origin, and gives the handler what a server would`() throws {
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            network.serve("https://idp.example:443", echo)
            network.serve("http://idp.example", Handler { _ in HTTPResponse(status: 418) })
            let response = try await network.send(
                HTTPCall("POST", "https://IDP.example/token%20?a=b&c", body: Array(" body".utf8)))
            #expect(text(response) == "POST /token%20 a=b&c idp.example body")
            #expect(try await network.send(HTTPCall("GET", "http://idp.example")).status == 418)
        }
    }

    @Test(arguments: ["https://other.example/", "https://idp.example:8443/", "http://idp.example/", "nonsense", ""])
    func `reaches nobody at an origin that is not served`(url: String) throws {
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            network.serve("https://idp.example", echo)
            await #expect(throws: Fault(.httpUnreachable)) { try await network.send(HTTPCall("GET", url)) }
            #expect(try await network.send(HTTPCall("GET", "https://idp.example/")).status == 200)
            network.stopServing("https://idp.example")
            await #expect(throws: Fault(.httpUnreachable)) {
                try await network.send(HTTPCall("GET", "https://idp.example/"))
            }
        }
    }

    @Test func `gives up when the answer takes too long, and the server works on`() throws {
        let tally = Tally()
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            let slow = Handler { _ in
                do { try await environment.sleep(for: .seconds(5)) } catch { return HTTPResponse(status: 503) }
                tally.note("answered")
                return HTTPResponse(status: 200)
            }
            network.serve("http://slow", slow)
            await #expect(throws: Fault(.httpTimeout)) {
                try await network.send(HTTPCall("GET", "http://slow/", timeout: .seconds(4)))
            }
            #expect(tally.lines.isEmpty)
            try await environment.sleep(for: .seconds(2))
            #expect(tally.lines == ["answered"])
            #expect(try await network.send(HTTPCall("GET", "http://slow/", timeout: .seconds(6))).status == 200)
        }
    }

    @Test func `takes no more bytes than the call allows`() throws {
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            network.serve(
                "http://big", Handler { _ in HTTPResponse(status: 200, body: Array(repeating: 1, count: 100)) })
            #expect(try await network.send(HTTPCall("GET", "http://big/", maximumBytes: 100)).body.count == 100)
            await #expect(throws: Fault(.httpTooLarge)) {
                try await network.send(HTTPCall("GET", "http://big/", maximumBytes: 99))
            }
        }
    }

    @Test func `follows redirects only when asked, and not for ever`() throws {
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            network.serve(
                "http://a",
                Handler { request in
                    request.path == "/end"
                        ? await echo.respond(to: request)
                        : HTTPResponse(status: 303, headers: ["Location": request.path == "/loop" ? "/loop" : "/end?x"])
                })
            let call = HTTPCall("POST", "http://a/start", body: [1])
            #expect(try await network.send(call).status == 303)
            var following = call
            following.followsRedirects = true
            #expect(text(try await network.send(following)) == "GET /end x a")
            following.url = "http://a/loop"
            await #expect(throws: Fault(.httpUnreachable)) { try await network.send(following) }
        }
    }

    @Test func `keeps credentials from another origin that it is sent to`() throws {
        let tally = Tally()
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            let seen = Handler { request in
                tally.note(
                    "\(request.headers.single("Host") ?? "") \(request.headers.single("Authorization") ?? "none")")
                return HTTPResponse(status: 302, headers: ["Location": request.path == "/1" ? "/2" : "http://b/3"])
            }
            network.serve("http://a", seen)
            network.serve(
                "http://b",
                Handler { request in
                    _ = await seen.respond(to: request)
                    return HTTPResponse(status: 200)
                })
            let headers: HTTPHeaders = ["Authorization": "Bearer x"]
            _ = try await network.send(HTTPCall("GET", "http://a/1", headers: headers, followsRedirects: true))
        }
        #expect(tally.lines == ["a Bearer x", "a Bearer x", "b none"])
    }

    @Test func `loses a server that stops, before the answer or before the request`() throws {
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            let server = environment.party()
            network.serve(
                "http://a", in: server,
                Handler { _ in
                    try? await environment.sleep(for: .seconds(5))
                    return HTTPResponse(status: 200)
                })
            let client = environment.spawn("client") { try await network.send(HTTPCall("GET", "http://a/")) }
            try await environment.sleep(for: .seconds(1))
            await server.stop()
            await #expect(throws: Fault(.httpUnreachable)) { try await client.value }
            await #expect(throws: Fault(.httpUnreachable)) { try await network.send(HTTPCall("GET", "http://a/")) }
            #expect(environment.now() == Timestamp(seconds: 1_800_000_001))
        }
    }

    @Test func `opens loopback ports, each its own, and answers what is open before it closes one`() throws {
        try Simulation(seed: 1).run { environment async throws in
            let network = InMemoryNetwork(environment: environment)
            let slow = Handler { request in
                try? await environment.sleep(for: .seconds(2))
                return await echo.respond(to: request)
            }
            let (one, two) = (try await network.listen(slow), try await network.listen(echo))
            #expect(one.origin != two.origin)
            #expect(one.origin.hasPrefix("http://127.0.0.1:"))
            let client = environment.spawn("client") { try await network.send(HTTPCall("GET", one.origin + "/return")) }
            try await environment.sleep(for: .seconds(1))
            await one.close()
            #expect(environment.now() == Timestamp(seconds: 1_800_000_002))
            #expect(try await client.value.status == 200)
            await #expect(throws: Fault(.httpUnreachable)) { try await network.send(HTTPCall("GET", one.origin)) }
            #expect(try await network.send(HTTPCall("GET", two.origin)).status == 200)
            await two.close()
        }
    }
}
