import Basics
import FoundationEssentials
import LinuxPlatform
import Platform
import Testing

/// The client in Python, which is written from docs/handoff-protocol.md alone: Examples/python-client.
@Suite(.serialized) struct PythonClientTests {
    private static let app = "com.example.python"
    private static let file = "Examples/python-client/client.py"

    @Test func `the program has fewer than 250 lines`() throws {
        let lines = try #require(Repository.text(Self.file)).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 < 250)
        #expect(lines.allSatisfy { $0.count <= 120 })
    }

    @Test(.needsPython) func `it takes the published commands, and refuses what the page refuses`() async throws {
        let python = try #require(try await Python.find())
        let checked = try await python.start("Tests/interop/python_client_check.py", [], environment: [:]).ended()
        #expect(checked.code == 0, "\(checked)")
        #expect(checked.output.count > 25)
    }

    @Test(.needsPython) func `what it sends is taken by the rules of the page, and what it must not send is refused`()
        async throws
    {
        let python = try #require(try await Python.find())
        try await withLabHome { home in
            try await home.idp("apps", "add", Self.app, "--scheme", Self.app, "--export-keys").expect(0)
            let made = try await python.start(
                "Tests/interop/python_client_urls.py", [home.path, Self.app], environment: home.environment
            ).ended().expect(0)
            let rows = try made.output.map { try JSONValue(parsing: $0) }
            #expect(rows.count { $0["rule"] == .null } == 4 && rows.count > 20)
            for row in rows {
                let url = try #require(row["url"]?.stringValue)
                let ended = try await home.run(.lab, ["explain", "-", "--json"], input: url)
                let said = try ended.json()
                #expect(said["receiver"]?.stringValue == LabHome.idpID, "\(row)")
                #expect(said["rule"] ?? .null == row["rule"] && said["code"] ?? .null == row["code"], "\(row) \(said)")
                #expect(ended.code == (row["rule"] == .null ? 0 : 4))
            }
        }
    }

    /// Runs `body` in a home where the Python client is registered, the identity provider app serves, and alice is
    /// signed in.
    private func withPythonClient(
        _ body: (_ home: LabHome, _ start: (_ words: String...) async throws -> RunningProgram) async throws -> Void
    ) async throws {
        let python = try #require(try await Python.find())
        try await withLabHome { home in
            try await home.idp("apps", "add", Self.app, "--scheme", Self.app, "--export-keys").expect(0)
            _ = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            try await body(home) { (words: String...) in
                try await python.start(Self.file, [home.path, Self.app] + words, environment: home.environment)
            }
        }
    }

    @Test(.needsPython) func `it logs in beside a client in Swift, at the same time and as the same person`()
        async throws
    {
        try await withPythonClient { home, start in
            let python = try await start("login")
            let swift = try await home.start(.client, ["login", "--via", "idp", "--json"])
            let account = try await python.ended().expect(0).json()
            let own = try await swift.ended().expect(0).json()["account"]
            #expect(account["sub"]?.stringValue?.isEmpty == false)
            #expect(account["sub"] == own?["subject"])
            #expect(account["issuer"] == own?["issuer"])
            #expect(account["userinfo"]?["preferred_username"] == "alice")
            // What it reports is told in the other app's log: its own flow, to a good end.
            try await eventually("authack of the Python client in the log") {
                try home.log(LabHome.idpID).contains {
                    $0["fields"]?["from"]?.stringValue == Self.app && $0["fields"]?["command"] == "authack"
                        && $0["fields"]?["outcome"] == "logged_in" && $0["fields"]?["transport"] == "direct"
                } ? true : nil
            }
        }
    }

    @Test(.needsPython)
    func `a logout of the device reaches it and a client in Swift, and both are revoked and acknowledged`() async throws
    {
        try await withPythonClient { home, start in
            _ = try await home.serve(.client, prompt: "script:switch")
            let python = try await start("serve")
            let swift = try await home.start(.client, ["login", "--via", "idp", "--json"])
            let own = try await swift.ended().expect(0).json()["account"]
            #expect(try await python.ready()["sub"] == own?["subject"])
            let finished = try await home.idp("logout", "--scope", "device").expect(0)
            let rows = finished.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.contains(["APP", "REVOKED", "ACKNOWLEDGED"]))
            for app in [Self.app, LabHome.clientID] { #expect(rows.contains([app, "yes", "yes"]), "\(finished)") }
            try await eventually("the client in Python says so") { python.output.last == "logged out" ? true : nil }
            #expect(try await home.accounts().isEmpty)
            await python.stopped().expect(143)
        }
    }

    @Test(.needsPython) func `a refusal, an absent app and a name that is taken end it with a word and no account`()
        async throws
    {
        try await withPythonClient { home, start in
            let refused = try await start("login", "nobody").ended()
            #expect(refused.code == 1 && refused.output.isEmpty)
            #expect(refused.errors.last == "error: Refused login_required")
            let staying = try await start("serve")
            _ = try await staying.ready()
            let second = try await start("login").ended()
            #expect(second.code == 1 && second.errors.last == "error: Refused bus-name-taken")
            let rest = await staying.stopped()
            #expect(rest.code == 143)
        }
    }

    @Test(.needsPython) func `it stays on the bus, and what is no command of its peer changes nothing`() async throws {
        try await withPythonClient { home, start in
            let staying = try await start("serve")
            _ = try await staying.ready()
            // Well-formed, signed and encrypted by somebody else: the account's own app does not take it.
            let url = try await home.idp("open", LabHome.clientID, "--print").expect(0).text
            let foreign = url.replacing(
                LabHome.clientID + "://oauth2/v1.0/idpinit", with: "\(Self.app)://oauth2/v1.0/logout")
            #expect(foreign != url)
            let bus = try #require(
                try String(contentsOfFile: home.layout.run + "/bus.json", encoding: .utf8).parsed["address"]?
                    .stringValue)
            for rubbish in [foreign, "\(Self.app)://oauth2/v1.0/ping?command=a.b.c", "x:y"] {
                try await send(rubbish, at: bus, home)
            }
            try await eventually("three refusals") { staying.errors.count >= 3 ? true : nil }
            #expect(staying.errors.allSatisfy { $0.hasPrefix("refused: ") })
            #expect(staying.output.count == 1)
            await staying.stopped()
        }
    }

    private func send(_ url: String, at bus: String, _ home: LabHome) async throws {
        let call = try await RunningProgram.start(
            try #require(Tool.busctl.path),
            [
                "--address=\(bus)", "call", Self.app, LabHome.objectPath(Self.app), "org.freedesktop.Application",
                "Open",
                "asa{sv}", "1", url, "0",
            ], environment: home.environment)
        #expect(await call.ended().expect(0).output.isEmpty)
    }
}
