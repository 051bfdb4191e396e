import CLinux
import Glibc
import Platform
import Synchronization
import Testing

@testable import LinuxPlatform

/// Runs a loop for the length of `body`.
private func withLoop<Result>(_ body: (EventLoop) async throws -> Result) async throws -> Result {
    let loop = try EventLoop.start(name: "test-loop")
    defer { loop.stop() }
    return try await body(loop)
}

/// Runs async work as a task that prefers the loop.
private func prefer<Result: Sendable>(
    _ loop: EventLoop, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await Task.detached(executorPreference: loop, operation: body).value
}

/// An actor that lives on a loop.
private actor Resident {
    private let loop: EventLoop
    private var visits = 0

    init(_ loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func visit() -> Int {
        loop.checkThread()
        visits += 1
        return visits
    }

    func sleep(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            let timer = loop.timer { continuation.resume() }
            timer.schedule(after: duration)
        }
        loop.checkThread()
    }

    nonisolated func visitFromCallback() -> Int {
        assumeIsolated { resident in
            resident.visits += 1
            return resident.visits
        }
    }
}

/// A plain actor: any thread may run it.
private actor Wanderer {
    private var visits = 0

    func visit() { visits += 1 }

    func count() -> Int { visits }
}

@Suite struct EventLoopTests {
    @Test func `a timer wakes a task that sleeps on its loop`() async throws {
        try await withLoop { loop in
            try await prefer(loop) {
                for _ in 0..<3 {
                    await withCheckedContinuation { continuation in
                        let timer = loop.timer { continuation.resume() }
                        timer.schedule(after: .milliseconds(5))
                    }
                    loop.checkThread()
                }
            }
        }
    }

    @Test func `a task returns to its loop after every await`() async throws {
        try await withLoop { loop in
            let other = try EventLoop.start(name: "test-other")
            defer { other.stop() }
            let wanderer = Wanderer()
            let resident = Resident(other)
            try await prefer(loop) {
                for _ in 0..<200 {
                    await wanderer.visit()
                    loop.checkThread()
                    _ = await resident.visit()
                    loop.checkThread()
                    await Task.yield()
                    loop.checkThread()
                    await Task.detached {}.value
                    loop.checkThread()
                }
            }
        }
    }

    @Test func `an actor on a loop runs on that thread only, whoever calls`() async throws {
        try await withLoop { loop in
            let resident = Resident(loop)
            let visits = await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask { for _ in 0..<20 { _ = await resident.visit() } }
                    group.addTask(executorPreference: loop) { for _ in 0..<20 { _ = await resident.visit() } }
                }
                await group.waitForAll()
                return await resident.visit()
            }
            #expect(visits == 2001)
            await resident.sleep(.milliseconds(1))
        }
    }

    @Test func `a caller without preference does not stay on the loop after an actor's work`() async throws {
        try await withLoop { loop in
            let resident = Resident(loop)
            for _ in 0..<100 {
                let isOnLoop = await Task.detached {
                    _ = await resident.visit()
                    return loop.isOnThread
                }.value
                #expect(!isOnLoop)
            }
        }
    }

    @Test func `a callback may assume the actor of its loop`() async throws {
        try await withLoop { loop in
            let resident = Resident(loop)
            let visits = try await prefer(loop) {
                await withCheckedContinuation { continuation in
                    let timer = loop.timer { continuation.resume(returning: resident.visitFromCallback()) }
                    timer.schedule(after: .zero)
                }
            }
            #expect(visits == 1)
        }
    }

    @Test func `a task that yields for ever delays a timer only a little`() async throws {
        try await withLoop { loop in
            let isOver = Counter()
            let greedy = Task.detached(executorPreference: loop) {
                while isOver.value == 0 { await Task.yield() }
            }
            try await prefer(loop) {
                await withCheckedContinuation { continuation in
                    let timer = loop.timer { continuation.resume() }
                    timer.schedule(after: .milliseconds(50))
                }
            }
            // The greedy task would go on for ever if the timer had to wait for it.
            isOver.increment()
            await greedy.value
        }
    }

    @Test func `an event that activates itself for ever lets timers and sockets through`() async throws {
        try await withLoop { loop in
            try await withServer { server, port in
                let calls = Counter()
                try await prefer(loop) {
                    let events = Mutex<LoopEvent?>(nil)
                    await withCheckedContinuation { continuation in
                        let greedy = loop.timer {
                            calls.increment()
                            events.withLock { $0 }?.activate()
                        }
                        events.withLock { $0 = greedy }
                        greedy.activate()
                        let timer = loop.timer { continuation.resume() }
                        timer.schedule(after: .milliseconds(20))
                    }
                    events.withLock { $0 }?.free()
                }
                #expect(calls.value > 1)
            }
        }
    }

    @Test func `a watched descriptor tells of bytes until it is freed`() async throws {
        try await withLoop { loop in
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            let (reader, writer) = (ends[0], ends[1])
            let calls = Counter()
            let seen = Signal()
            let event = try await loop.run {
                loop.watch(descriptor: reader, events: 0) { events in
                    guard events == 2 else { return }
                    var byte: UInt8 = 0
                    _ = read(reader, &byte, 1)
                    calls.increment()
                    seen.open()
                }
            }
            #expect(write(writer, "a", 1) == 1)
            try await loop.run {}
            #expect(calls.value == 0)
            try await loop.run { event.set(events: 2) }
            await seen.wait()
            #expect(calls.value == 1)
            try await loop.run {
                event.disarm()
                event.set(events: 2)
                event.free()
                event.free()
                event.set(events: 2)
                event.activate()
            }
            #expect(write(writer, "b", 1) == 1)
            try await loop.run {}
            try await loop.run {}
            #expect(calls.value == 1)
        }
    }

    @Test func `a disarmed timer does not fire, a scheduled one fires once`() async throws {
        try await withLoop { loop in
            let fired = Counter()
            try await prefer(loop) {
                let off = loop.timer { fired.increment() }
                off.schedule(after: .milliseconds(1))
                off.disarm()
                let on = loop.timer { fired.increment() }
                on.schedule(after: .milliseconds(2))
                await withCheckedContinuation { continuation in
                    let timer = loop.timer { continuation.resume() }
                    timer.schedule(after: .milliseconds(40))
                }
            }
            #expect(fired.value == 1)
        }
    }

    @Test func `tasks that come after the stop still run, one at a time`() async throws {
        let loop = try EventLoop.start(name: "test-loop")
        let resident = Resident(loop)
        loop.stop()
        loop.stop()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask(executorPreference: loop) {
                    loop.checkThread()
                    await Task.yield()
                    loop.checkThread()
                    _ = await resident.visit()
                }
            }
        }
        #expect(await resident.visit() == 51)
    }

    @Test func `a loop may be stopped from its own thread`() async throws {
        let loop = try EventLoop.start(name: "test-loop")
        let timer = try await loop.run {
            loop.stop()
            return loop.timer {}
        }
        loop.stop()
        // Its events have gone with it; the handle does nothing.
        try await loop.run {
            timer.schedule(after: .zero)
            timer.activate()
            timer.free()
        }
    }
}

@Suite struct EventLoopServingTests {
    @Test func `a timer and a curl answer each wake a handler that sleeps`() async throws {
        try await withServer { _, backend in
            try await withLoop { loop in
                let client = try CurlHTTPClient()
                let handler = ClosureHandler { request in
                    loop.checkThread()
                    if request.path == "/timer" {
                        await withCheckedContinuation { continuation in
                            let timer = loop.timer { continuation.resume() }
                            timer.schedule(after: .milliseconds(5))
                        }
                    } else {
                        let call = HTTPCall("GET", "http://localhost:\(backend)/")
                        guard (try? await client.send(call))?.status == 200 else { return HTTPResponse(status: 500) }
                    }
                    loop.checkThread()
                    return HTTPResponse(status: 204)
                }
                let server = try await HTTPServer.start(
                    HTTPServerConfiguration(
                        addresses: [.tcp(address: "127.0.0.1", port: 0)], authority: .host("localhost")),
                    handler: handler, loops: [loop])
                let port = try #require(server.port)
                for path in ["/timer", "/curl", "/timer", "/curl"] {
                    #expect(try await client.send(HTTPCall("GET", "http://localhost:\(port)\(path)")).status == 204)
                }
                await server.stop(grace: .seconds(1))
            }
        }
    }

    @Test func `two loops under load touch every handle on its own thread`() async throws {
        let wanderer = Wanderer()
        let home = try EventLoop.start(name: "test-home")
        defer { home.stop() }
        let resident = Resident(home)
        let handler = ClosureHandler { request in
            let before = countersign_thread_id()
            // A plain actor that two loops meet in, an actor of a third loop, the pool, a yield: then back.
            await wanderer.visit()
            _ = await resident.visit()
            await Task.yield()
            if request.path == "/pool" { await Task.detached {}.value }
            return HTTPResponse(status: before == countersign_thread_id() ? 200 : 500, body: request.body)
        }
        try await withServer(handler, loops: 2) { _, port in
            let client = try CurlHTTPClient()
            let good = await withTaskGroup(of: Int.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        var good = 0
                        for round in 0..<40 {
                            let body = Array("\(number).\(round)".utf8)
                            let path = round % 2 == 0 ? "/" : "/pool"
                            let call = HTTPCall("POST", "http://localhost:\(port)\(path)", body: body)
                            // The server checks its thread at every callback, and would have ended the process.
                            if let response = try? await client.send(call), response.status == 200,
                                response.body == body
                            {
                                good += 1
                            }
                        }
                        return good
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(good == 32 * 40)
            #expect(await wanderer.count() == 32 * 40)
        }
    }
}
