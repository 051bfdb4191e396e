import Basics
import FoundationEssentials
import Platform
import TestSupport
import Testing

/// Apps in a desktop: the default home on a session bus, private XDG folders, and a real `gio`.
@Suite(.serialized) struct DesktopTests {
    private func entry(_ id: String, _ session: SessionBus) -> String { session.data + "/applications/\(id).desktop" }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// Everything in the desktop's folders.
    private func everything(_ session: SessionBus) -> [String: String] {
        var found: [String: String] = [:]
        for folder in [session.data, session.configuration] {
            for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
                found[folder + "/" + name] = text(folder + "/" + name) ?? "folder"
            }
        }
        return found
    }

    @Test(.rule("A041", "A195"), .enabled(if: Tool.gio.isInstalled, "gio is not installed"))
    func `gio open reaches an app that is installed, running or not, and what it took over comes back`() async throws {
        try await SessionBus.running { session in
            let home = try LabHome(isDefault: true, sessionBus: session.address, variables: session.variables)
            try await withLabHome(home, users: ["alice", "bob"]) { home in
                let serving = try await home.serve(.idp, prompt: "script:allow")
                try await home.signIn("alice")
                try await home.signIn("bob")
                try await home.client("login", "--via", "idp", "--user-hint", "alice").expect(0)
                try session.putForeignHandler("former.desktop", of: LabHome.clientID)
                let before = everything(session)

                let installed = try await home.client("apps", "install", "--json").expect(0).json()
                #expect(installed["schemes"]?.arrayValue?.first?["former"] == "former.desktop")
                #expect(installed["schemes"]?.arrayValue?.first?["opens"] == .string(LabHome.clientID + ".desktop"))
                #expect(text(entry(LabHome.clientID, session))?.contains("DBusActivatable=true\n") == true)

                // Not running: the session bus starts it. It can ask nobody, and says so.
                try await gioOpen(try await invitation(home, to: "bob"), home)
                try await eventually("the client has taken the URL", within: .seconds(60)) {
                    try home.log(LabHome.clientID).contains {
                        $0["fields"]?["command"] == "idpinit" && $0["fields"]?["transport"] == "opener"
                    } ? true : nil
                }
                #expect(try home.log(LabHome.clientID).contains { $0["message"] == "started by the bus" })
                #expect(try await home.currentUser() == "alice")

                // Running: it reaches that process.
                let client = try await home.serve(.client, prompt: "script:switch")
                try await gioOpen(try await invitation(home, to: "bob"), home)
                try await eventually("bob is current", within: .seconds(60)) {
                    try await home.currentUser() == "bob" ? true : nil
                }

                let ended = try await home.client("apps", "uninstall").expect(0)
                #expect(ended.text.contains("former.desktop"))
                #expect(everything(session) == before)
                await client.stopped().expect(143)
                await serving.stopped().expect(143)
            }
        }
    }

    @Test func `a login on the session bus starts an identity provider app that is installed`() async throws {
        try await SessionBus.running { session in
            let home = try LabHome(isDefault: true, sessionBus: session.address, variables: session.variables)
            try await withLabHome(home) { home in
                var serving = try await home.serve(.idp, prompt: "script:allow")
                try await home.signIn("alice")
                try await home.client("login", "--via", "idp").expect(0)
                await serving.stopped().expect(143)
                try await home.client("login", "--via", "idp").expect(5, "peer-not-running")
                let words = try await home.idp("apps", "install").expect(0).text
                #expect(words.contains(session.data + "/dbus-1/services/\(LabHome.idpID).service"))
                try await home.client("login", "--via", "idp", "--timeout", "60s").expect(0)
                // By hand, and with it the started one ends.
                serving = try await home.serve(.idp, prompt: "script:allow")
                try await home.client("login", "--via", "idp").expect(0)
                try await home.idp("apps", "uninstall").expect(0)
                await serving.stopped().expect(143)
                #expect(everything(session).isEmpty)
                try await home.client("login", "--via", "idp").expect(5, "peer-not-running")
            }
        }
    }

    @Test(.rule("A023", "A041"))
    func `a scheme that another app has is refused with its holder, or settled, recorded and listed`() async throws {
        try await withLabHome(users: []) { home in
            func add(_ id: String, _ more: String...) async throws -> Finished {
                try await home.run(.idp, ["apps", "add", id, "--exec", "/bin/true"] + more)
            }
            try await add("com.example.a", "--scheme", "com.example.a://callback").expect(2, "scheme-refused")
            #expect(
                try await add("com.example.a", "--scheme", "notes").expect(0).errors.contains { $0.hasPrefix("note: ") }
            )
            let refused = try await add("com.example.b", "--scheme", "notes").expect(4, "scheme-taken")
            #expect(refused.errors.contains { $0.contains("com.example.a claims the scheme notes") })
            try await home.idp("apps", "show", "com.example.b").expect(1, "unknown-app")
            try await add("com.example.b", "--scheme", LabHome.idpID).expect(4, "scheme-taken")
            try await add("com.example.b", "--scheme", "notes", "--conflict", "first").expect(0)
            func opens() async throws -> JSONValue? {
                try await home.idp("apps", "list", "--json").expect(0).json()["conflicts"]?.arrayValue?.first?["opens"]
            }
            #expect(try await opens() == "com.example.a")
            // What was settled needs no second word.
            try await add("com.example.b", "--scheme", "notes").expect(0)
            try await add("com.example.b", "--scheme", "notes", "--conflict", "newest").expect(0)
            #expect(try await opens() == "com.example.b")
            try await add("com.example.c", "--scheme", "notes", "--conflict", "ask").expect(4, "interaction-required")
            try await add(
                "com.example.c", "--scheme", "notes", "--conflict", "ask", "--prompt", "script:newest"
            ).expect(0)
            #expect(try await opens() == "com.example.c")
            try await home.idp("apps", "remove", "com.example.c").expect(0)
            #expect(try await opens() == "com.example.a")
            try await add("com.example.b", "--scheme", "com.example.b").expect(0)
            #expect(try await opens() == nil)
        }
    }

    private func invitation(_ home: LabHome, to user: String) async throws -> String {
        try await home.idp("open", LabHome.clientID, "--user", user, "--print").expect(0).text
    }

    private func gioOpen(_ url: String, _ home: LabHome) async throws {
        let gio = try await RunningProgram.start(
            try #require(Tool.gio.path), ["open", url], environment: home.environment)
        await gio.ended().expect(0)
    }
}
