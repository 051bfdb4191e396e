import Basics
import Platform
import Synchronization
import Testing

@testable import LinuxPlatform

@Suite struct BusMonitorTests {
    @Test func `sees what is opened, at whomever, and keeps it from nobody`() async throws {
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let seen = Mutex<[String]>([])
                let (last, arrived) = (Promise<Void>(), Promise<Delivery.Content>())
                let monitor = try await BusMonitor.connect(address: address, loop: loop) { url in
                    seen.withLock { $0.append(url) }
                    if url == "x:last" { last.fulfil() }
                }
                let app = try await DBusCommandBus.connect(address: address, loop: loop)
                _ = try await app.register("com.example.app") { arrived.fulfil($0.content) }
                let sender = try await DBusCommandBus.connect(address: address, loop: loop)
                try await sender.open("x:first", at: "com.example.app", startIfNeeded: false)
                // Neither other calls nor their answers are commands.
                try await sender.activate("x:action", parameter: nil, at: "com.example.app")
                await #expect(throws: Fault(.peerNotRunning)) {
                    try await sender.openAndLeave("x:last", at: "com.example.nobody")
                }
                try await last.value()
                #expect(seen.withLock { $0 } == ["x:first", "x:last"])
                #expect(try await arrived.value() == .open(url: "x:first"))
                await monitor.stop()
                await app.stop()
            }
        }
    }

    @Test func `needs a bus`() async throws {
        let loop = try EventLoop.start(name: "bus test")
        await #expect(throws: Fault(.busUnavailable)) {
            _ = try await BusMonitor.connect(address: "unix:path=/nowhere/bus", loop: loop) { _ in }
        }
        loop.stop()
    }
}
