import Basics
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct DBusCommandBusTests {
    @Test func `a bus that is not there is bus-unavailable`() async throws {
        let loop = try EventLoop.start(name: "bus test")
        for address in ["unix:path=/nowhere/bus", "nonsense", "", "unix:path=/a\0b"] {
            await #expect(throws: Fault(.busUnavailable)) {
                _ = try await DBusCommandBus.connect(address: address, loop: loop)
            }
        }
        loop.stop()
    }

    @Test func `a daemon that accepts and says nothing is given up`() async throws {
        try await BusHome.with { home in
            let path = home.path + "/silent"
            let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(listener) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(bound == 0 && listen(listener, 1) == 0)
            let loop = try EventLoop.start(name: "bus test")
            var limits = BusLimits()
            limits.daemonTimeout = .milliseconds(200)
            await #expect(throws: Fault(.busUnavailable)) {
                _ = try await DBusCommandBus.connect(
                    address: BusAddress.unix(path: path), loop: loop, limits: limits)
            }
            loop.stop()
        }
    }

    @Test func `the end of the daemon ends every waiting call`() async throws {
        try await BusHome.with { home in
            let place = try await home.join()
            let loop = try EventLoop.start(name: "bus test")
            let bus = try await DBusCommandBus.connect(address: place.address, loop: loop)
            let other = try await DBusCommandBus.connect(address: place.address, loop: loop)
            let registration = try await other.register("com.example.other") { _ in }
            let daemon = try #require(try home.record()?.daemon)
            // Stopped, it answers nothing: the calls below wait.
            daemon.signal(SIGSTOP)
            let departure = Task { try await bus.departure(of: registration.uniqueName) }
            let opening = Task { try await bus.open("x:y", at: "com.example.other", startIfNeeded: false) }
            let owner = Task { try await bus.owner(of: "com.example.other") }
            // Asked after them on the same loop: theirs have been sent by now.
            _ = await bus.uniqueName
            daemon.signal(SIGKILL)
            await #expect(throws: Fault(.busUnavailable)) { try await departure.value }
            await #expect(throws: Fault(.busUnavailable)) { try await opening.value }
            await #expect(throws: Fault(.busUnavailable)) { _ = try await owner.value }
            try await bus.ended()
            await registration.withdraw()
            await #expect(throws: Fault(.busUnavailable)) {
                _ = try await bus.register("com.example.late") { _ in }
            }
            await place.leave()
            loop.stop()
        }
    }

    @Test func `what was sent last is not lost by stopping`() async throws {
        let count = Mutex(0)
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let app = try await DBusCommandBus.connect(address: address, loop: loop)
                _ = try await app.register("com.example.app") { _ in count.withLock { $0 += 1 } }
                for _ in 0..<20 {
                    let sender = try await DBusCommandBus.connect(address: address, loop: loop)
                    // Not awaited: the call is on its way when the connection stops.
                    let sending = try await sender.sendUnawaited("x:y", at: "com.example.app")
                    await sender.stop()
                    await #expect(throws: Fault(.busUnavailable)) { try await sending.value() }
                }
                #expect(try await becomesTrue { count.withLock { $0 } == 20 })
                await app.stop()
            }
        }
    }

    @Test func `a call to a name that owns no app, or that is no name, is peer-not-running`() async throws {
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let bus = try await DBusCommandBus.connect(address: address, loop: loop)
                let unique = try #require(await bus.uniqueName)
                for name in ["org.freedesktop.DBus", "no name", "", unique, ":9.99"] {
                    await #expect(throws: Fault(.peerNotRunning), "\(name)") {
                        try await bus.open("x:y", at: name, startIfNeeded: true)
                    }
                }
                await #expect(throws: Fault(.busMessageRefused)) {
                    _ = try await bus.register("no name") { _ in }
                }
                await #expect(throws: Fault(.busMessageRefused)) {
                    try await bus.open("x:\0y", at: "com.example.app", startIfNeeded: false)
                }
                #expect(try await bus.owner(of: "no name") == nil)
                #expect(try await bus.evidence(of: ":9.99") == nil)
                await bus.stop()
            }
        }
    }

    @Test func `at a unique name the app is called that was asked for by name`() async throws {
        let received = Mutex<[String]>([])
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let apps = try await DBusCommandBus.connect(address: address, loop: loop)
                for name in ["com.example.a", "com.example.b"] {
                    _ = try await apps.register(name) { _ in received.withLock { $0.append(name) } }
                }
                let sender = try await DBusCommandBus.connect(address: address, loop: loop)
                for name in ["com.example.b", "com.example.a"] {
                    let unique = try #require(try await sender.owner(of: name))
                    try await sender.open("x:y", at: unique, startIfNeeded: false)
                    #expect(try await becomesTrue { received.withLock { $0.last } == name })
                }
                await apps.stop()
                await sender.stop()
            }
        }
    }

    @Test(.rule("A189")) func `an installed app is started by the bus where that is allowed, and not where it is not`()
        async throws
    {
        try await BusHome.with { home in
            let note = home.path + "/it's \\ noted"
            try BusService.install(
                "com.example.started", start: ["/bin/sh", "-c", "touch \"$0\"; exit 1", note], home: home.path)
            try await home.withBus { address, loop in
                let bus = try await DBusCommandBus.connect(address: address, loop: loop)
                let started = Mutex<[String]>([])
                for (mayStart, code) in [(true, ErrorCode.peerNotStarted), (false, .peerNotRunning)] {
                    do {
                        try await bus.open("x:y", at: "com.example.started", startIfNeeded: mayStart)
                    } catch let fault as Fault {
                        #expect(fault.code == code, "\(fault.detail ?? "")")
                        started.withLock { $0.append(code.name) }
                    }
                }
                #expect(started.withLock { $0.count } == 2)
                #expect(access(note, F_OK) == 0)
                await bus.stop()
            }
        }
    }

    @Test(.enabled("a program beside the tests is a bus keeper", { await KeeperProgram.isThere }))
    func `an app that the bus starts finds its home in the environment, and writes as much as it likes`()
        async throws
    {
        try await BusHome.with { home in
            let note = home.path + "/note"
            // More than a pipe holds.
            let script =
                "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; echo \"$COUNTERSIGN_HOME\" > \(note); exit 1"
            try BusService.install(
                "com.example.started", start: ["/bin/sh", "-c", script], home: home.path)
            let place = try await home.join(keeper: KeeperProgram.command)
            let loop = try EventLoop.start(name: "bus test")
            let bus = try await DBusCommandBus.connect(address: place.address, loop: loop)
            await #expect(throws: Fault(.peerNotStarted)) {
                try await bus.open("x:y", at: "com.example.started", startIfNeeded: true)
            }
            #expect(await BusHome.run("cat", note).output == home.path)
            await bus.stop()
            await place.leave()
            loop.stop()
        }
    }

    @Test(.rule("A191")) func `apps that never come up take only so many turns, and every other call goes on`()
        async throws
    {
        try await BusHome.with { home in
            for number in 1...3 {
                try BusService.install(
                    "com.example.stuck\(number)", start: ["/bin/sleep", "10"], home: home.path)
            }
            try await home.withBus { address, loop in
                var limits = BusLimits()
                limits.starts = 2
                limits.peerTimeout = .seconds(2)
                let bus = try await DBusCommandBus.connect(address: address, loop: loop, limits: limits)
                let app = try await DBusCommandBus.connect(address: address, loop: loop)
                _ = try await app.register("com.example.app") { _ in }
                @Sendable func open(_ name: String) async -> ErrorCode? {
                    do {
                        try await bus.open("x:y", at: name, startIfNeeded: true)
                        return nil
                    } catch {
                        return (error as? Fault)?.code
                    }
                }
                // A second call to an app that is on its way takes no turn of its own.
                let stuck = ["com.example.stuck1", "com.example.stuck2", "com.example.stuck2"].map { name in
                    Task { await open(name) }
                }
                #expect(try await becomesTrue { await bus.starting.count == 2 })
                #expect(await open("com.example.stuck3") == .tooManyStarts)
                try await bus.open("x:y", at: "com.example.app", startIfNeeded: false)
                for call in stuck { #expect(await call.value == .peerNotRunning) }
                #expect(await open("com.example.app") == nil)
                await app.stop()
                await bus.stop()
            }
        }
    }

    @Test(.rule("A189")) func `an app that owns its name before it has its object is called again, and not for ever`()
        async throws
    {
        let received = Mutex<[String]>([])
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let app = try await DBusCommandBus.connect(address: address, loop: loop)
                var limits = BusLimits()
                limits.objectPauses = [.milliseconds(1), .milliseconds(1)]
                let hasty = try await DBusCommandBus.connect(address: address, loop: loop, limits: limits)
                try await app.claim("com.example.slow")
                await #expect(throws: Fault(.peerNotRunning)) {
                    try await hasty.open("x:0", at: "com.example.slow", startIfNeeded: true)
                }
                limits.objectPauses = Array(repeating: .milliseconds(20), count: 3_000)
                let patient = try await DBusCommandBus.connect(address: address, loop: loop, limits: limits)
                let opening = Task { try await patient.open("x:1", at: "com.example.slow", startIfNeeded: true) }
                #expect(try await becomesTrue { await patient.starting.count == 1 })
                try await app.export("com.example.slow") { delivery in
                    received.withLock { $0.append("\(delivery.content)") }
                }
                try await opening.value
                #expect(try await becomesTrue { received.withLock { $0.count } == 1 })
                for bus in [app, hasty, patient] { await bus.stop() }
            }
        }
    }

    @Test func `many calls at once are all answered`() async throws {
        let count = Mutex(0)
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                var limits = BusLimits()
                limits.inbox = 10_000
                limits.inboxPerSender = 10_000
                let app = try await DBusCommandBus.connect(address: address, loop: loop, limits: limits)
                let sender = try await DBusCommandBus.connect(address: address, loop: loop)
                _ = try await app.register("com.example.app") { _ in count.withLock { $0 += 1 } }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<500 {
                        group.addTask {
                            try await sender.open("x:\(number)", at: "com.example.app", startIfNeeded: false)
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await becomesTrue { count.withLock { $0 } == 500 })
                await app.stop()
                await sender.stop()
            }
        }
    }
}

extension DBusCommandBus {
    /// Owns a name, and has no object there.
    func claim(_ name: String) async throws {
        _ = try await call(.daemon("RequestName", [.string(name), .number(4)], timeout: .seconds(60))) {
            $0.readNumber()
        }
    }

    /// Queues a call without waiting for its answer.
    func sendUnawaited(_ url: String, at name: String) throws -> Promise<Bool> {
        try send(
            .application(
                "Open", at: name, path: ApplicationInterface.path(of: name), [.strings([url]), .noOptions],
                startsReceiver: false, timeout: .seconds(5))
        ) { _ in true }
    }
}
