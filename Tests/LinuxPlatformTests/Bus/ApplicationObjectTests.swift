import Basics
import FoundationEssentials
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@testable import LinuxPlatform

@Suite struct ApplicationObjectTests {
    private static let app = "com.example.notes-app"
    private static let path = "/com/example/notes_app"

    /// What arrived at the app, and a connection that is an outsider's.
    private func withApp(
        limits: BusLimits = BusLimits(), receive: @escaping @Sendable (Delivery) async -> Void = { _ in },
        _ body: (_ address: String, _ bus: DBusCommandBus, _ loop: EventLoop) async throws -> Void
    ) async throws {
        try await BusHome.with { home in
            try await home.withBus { address, loop in
                let bus = try await DBusCommandBus.connect(address: address, loop: loop, limits: limits)
                _ = try await bus.register(ApplicationObjectTests.app, receive: receive)
                try await body(address, bus, loop)
                await bus.stop()
            }
        }
    }

    /// Calls a method with busctl; the answer as it prints it.
    private func call(_ address: String, _ path: String = path, _ words: String...) async -> String {
        let child = try? await LinuxChildProcesses(tellsParentsEnd: false).start(
            ChildCommand("busctl", ["--address=\(address)", "call", ApplicationObjectTests.app, path] + words))
        guard let child else { return "busctl is missing" }
        var lines: [String] = []
        for await line in child.outputLines { lines.append(line) }
        for await line in child.errorLines { lines.append(line) }
        return "\(await child.exit()) \(lines.joined(separator: "\n"))"
    }

    @Test func `the object's path is the name with slashes and underscores`() {
        #expect(ApplicationInterface.path(of: Self.app) == Self.path)
        #expect(ApplicationInterface.path(of: "org.a.B1") == "/org/a/B1")
    }

    @Test(.needs("busctl")) func `Open answers empty and the same whatever it is sent`() async throws {
        try await withApp { address, _, _ in
            let interface = ApplicationInterface.name
            let long = "notes://x?command=" + String(repeating: "A", count: 100_000)
            var answers: Set<String> = []
            for urls in [
                [], [""], ["notes://oauth2/v1.0/ping?command=a.b.c"], ["rubbish"], ["\u{202E}é李 \n"], [long],
                Array(repeating: "x:y", count: 300),
            ] {
                let child = try await LinuxChildProcesses(tellsParentsEnd: false).start(
                    ChildCommand(
                        "busctl",
                        ["--address=\(address)", "call", Self.app, Self.path, interface, "Open", "asa{sv}"]
                            + ["\(urls.count)"] + urls + ["0"]))
                var lines: [String] = []
                for await line in child.outputLines { lines.append(line) }
                for await line in child.errorLines { lines.append(line) }
                answers.insert("\(await child.exit()) \(lines)")
            }
            #expect(answers == ["exited(0) []"])
            #expect(await call(address, Self.path, interface, "Activate", "a{sv}", "0") == "exited(0) ")
        }
    }

    @Test(.rule("T26", "A156"), .needs("busctl"))
    func `each URL of one Open is a delivery of its own, up to the limits`() async throws {
        let received = Mutex<[Delivery.Content]>([])
        try await withApp(receive: { delivery in received.withLock { $0.append(delivery.content) } }) {
            address, bus, loop in
            let words = (0..<20).map { "x:\($0)" }
            _ = await call(
                address, Self.path, ApplicationInterface.name, "Open", "asa{sv}", "3", "x:a", "x:b", "x:c", "0")
            #expect(try await becomesTrue { received.withLock { $0.count } == 3 })
            let child = try await LinuxChildProcesses(tellsParentsEnd: false).start(
                ChildCommand(
                    "busctl",
                    ["--address=\(address)", "call", Self.app, Self.path, ApplicationInterface.name, "Open", "asa{sv}"]
                        + ["20"] + words + ["0"]))
            #expect(await child.exit() == .exited(0))
            #expect(try await becomesTrue { received.withLock { $0.count } == 3 + BusLimits().urlsPerCall })
            let first = received.withLock { $0.prefix(3) }
            #expect(
                Set(first.map { "\($0)" }) == Set(["x:a", "x:b", "x:c"].map { "\(Delivery.Content.open(url: $0))" }))
        }
    }

    @Test func `the sender is known by what the daemon says of its process`() async throws {
        let senders = Mutex<[PeerEvidence?]>([])
        try await withApp(receive: { delivery in senders.withLock { $0.append(delivery.sender) } }) {
            address, _, loop in
            let sender = try await DBusCommandBus.connect(address: address, loop: loop)
            try await sender.open("x:y", at: Self.app, startIfNeeded: false)
            #expect(try await becomesTrue { senders.withLock { $0.count } == 1 })
            let evidence = try #require(senders.withLock { $0.first ?? nil })
            let uniqueName = await sender.uniqueName
            #expect(evidence.uniqueName == uniqueName)
            #expect(evidence.userID == geteuid())
            #expect(evidence.processID == getpid())
            #expect(evidence.executable == PrivateBus.thisProgramAsKeeper[0])
            await sender.stop()
        }
    }

    @Test(.needs("busctl"))
    func `a sender that ends after its call is still known, since it is asked about before it is answered`()
        async throws
    {
        let senders = Mutex<[PeerEvidence?]>([])
        try await withApp(receive: { delivery in senders.withLock { $0.append(delivery.sender) } }) {
            address, _, _ in
            for _ in 0..<5 {
                _ = await call(address, Self.path, ApplicationInterface.name, "Activate", "a{sv}", "0")
            }
            let haveCome = try await becomesTrue { senders.withLock { $0.count } == 5 }
            #expect(haveCome)
            let known = senders.withLock { $0.compactMap(\.self) }
            #expect(known.count == 5 && known.allSatisfy { $0.userID == geteuid() && $0.processID != nil })
        }
    }

    @Test func `beyond the inbox deliveries are dropped in silence, and room comes back`() async throws {
        var limits = BusLimits()
        limits.inbox = 3
        let count = Mutex(0)
        let release = Promise<Void>()
        let receive: @Sendable (Delivery) async -> Void = { _ in
            count.withLock { $0 += 1 }
            try? await release.value()
        }
        try await withApp(limits: limits, receive: receive) { address, bus, loop in
            let sender = try await DBusCommandBus.connect(address: address, loop: loop)
            for _ in 0..<10 { try await sender.open("x:y", at: Self.app, startIfNeeded: false) }
            #expect(try await becomesTrue { count.withLock { $0 } == 3 })
            release.fulfil()
            #expect(
                try await becomesTrue {
                    try await sender.open("x:z", at: Self.app, startIfNeeded: false)
                    return count.withLock { $0 } > 3
                })
            await sender.stop()
        }
    }

    @Test(.rule("B4")) func `a sender that fills its part of the inbox takes nobody else's`() async throws {
        var limits = BusLimits()
        limits.inboxPerSender = 3
        let received = Mutex<[String: Int]>([:])
        let release = Promise<Void>()
        let receive: @Sendable (Delivery) async -> Void = { delivery in
            received.withLock { $0[delivery.sender?.uniqueName ?? "?", default: 0] += 1 }
            try? await release.value()
        }
        try await withApp(limits: limits, receive: receive) { address, bus, loop in
            let flood = try await DBusCommandBus.connect(address: address, loop: loop)
            let other = try await DBusCommandBus.connect(address: address, loop: loop)
            for _ in 0..<100 { try await flood.open("x:y", at: Self.app, startIfNeeded: false) }
            try await other.open("x:z", at: Self.app, startIfNeeded: false)
            #expect(try await becomesTrue { received.withLock { $0.values.sorted() } == [1, 3] })
            release.fulfil()
            await flood.stop()
            await other.stop()
        }
    }

    @Test(.needs("busctl"))
    func `an unknown method, object or signature gets the standard error, and a known one does not`()
        async throws
    {
        try await withApp { address, _, _ in
            let interface = ApplicationInterface.name
            #expect(await call(address, Self.path, interface, "Destroy").contains("Unknown method"))
            #expect(await call(address, "/com/example", interface, "Open", "asa{sv}", "0", "0").hasPrefix("exited(1)"))
            #expect(await call(address, Self.path, interface, "Open", "s", "x").contains("asa{sv}"))
            #expect(
                await call(address, Self.path, interface, "ActivateAction", "sava{sv}", "go", "0", "0")
                    == "exited(0) ")
        }
    }

    @Test func `the object introspects as published`() async throws {
        let top = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let file = FileManager.default.contents(atPath: "/\(top)/docs/org.freedesktop.Application.xml")
        let published = String(decoding: try #require(file), as: UTF8.self)
        try await withApp { address, _, loop in
            let outsider = try await DBusCommandBus.connect(address: address, loop: loop)
            let answer = try await outsider.call(
                BusCall(
                    destination: Self.app, path: Self.path, interface: "org.freedesktop.DBus.Introspectable",
                    member: "Introspect", arguments: [], timeout: .seconds(60))
            ) { $0.readString() }
            #expect(answer == published)
            await outsider.stop()
        }
    }

    @Test(.needs("busctl")) func `each method that is published is there, and the object answers as a peer`()
        async throws
    {
        try await withApp { address, _, _ in
            let shown = await BusHome.run(
                "busctl", "--address=\(address)", "introspect", Self.app, Self.path, ApplicationInterface.name)
            #expect(shown.exit == .exited(0))
            for member in [".Open", ".Activate", ".ActivateAction"] { #expect(shown.output.contains(member)) }
            #expect(shown.output.contains("asa{sv}"))
            #expect(await call(address, Self.path, "org.freedesktop.DBus.Peer", "Ping") == "exited(0) ")
            let machine = await call(address, Self.path, "org.freedesktop.DBus.Peer", "GetMachineId")
            // A machine may have none.
            #expect(!machine.contains("Unknown"))
            let tree = await BusHome.run("busctl", "--address=\(address)", "--list", "tree", Self.app)
            #expect(tree.output.contains(Self.path))
        }
    }

    @Test(.needs("gdbus")) func `gdbus finds its way by introspection`() async throws {
        try await withApp { address, _, _ in
            let answer = await BusHome.run(
                "gdbus", "call", "--address", address, "--dest", Self.app, "--object-path", Self.path, "--method",
                "org.freedesktop.Application.Open", "['x:y']", "{}")
            #expect(answer.exit == .exited(0))
            #expect(answer.output == "()")
        }
    }
}
