import Basics
import CLinux
import Platform
import Testing

@testable import LinuxPlatform

/// The bus, the server and the client together on loops, as the programs have them.
@Suite struct BusOnLoopsTests {
    @Test func `under load on two loops a bus reply wakes the handler that waits for it, on the handler's own thread`()
        async throws
    {
        try await BusHome.with { home in
            let place = try await home.join()
            let loops = [try EventLoop.start(name: "one"), try EventLoop.start(name: "two")]
            // The connection lives on a serving loop: its handles are touched there, which every callback checks.
            let bus = try await DBusCommandBus.connect(address: place.address, loop: loops[0])
            let name = "org.countersign.loops"
            let registration = try await bus.register(name) { _ in }
            let handler = ClosureHandler { _ in
                let before = countersign_thread_id()
                let owner = try? await bus.owner(of: name)
                let isHome = before == countersign_thread_id() && owner == registration.uniqueName
                return HTTPResponse(status: isHome ? 204 : 500)
            }
            let server = try await HTTPServer.start(
                HTTPServerConfiguration(
                    addresses: [.tcp(address: "127.0.0.1", port: 0)], authority: .host("localhost")),
                handler: handler, loops: loops)
            let port = try #require(server.port)
            let client = try CurlHTTPClient()
            let statuses = await withTaskGroup(of: [Int].self) { group in
                for _ in 0..<16 {
                    group.addTask {
                        var statuses: [Int] = []
                        for _ in 0..<25 {
                            let call = HTTPCall("GET", "http://localhost:\(port)/", timeout: .seconds(120))
                            statuses.append((try? await client.send(call))?.status ?? 0)
                        }
                        return statuses
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(statuses.count == 400 && statuses.allSatisfy { $0 == 204 })
            await server.stop(grace: .seconds(1))
            await bus.stop()
            await place.leave()
            for loop in loops { loop.stop() }
        }
    }
}
