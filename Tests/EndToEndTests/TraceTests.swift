import Basics
import LinuxPlatform
import Testing

/// `countersign trace` over the logs of real programs.
@Suite(.serialized) struct TraceTests {
    private func withLogin(_ body: (LabHome, _ flow: String) async throws -> Void) async throws {
        try await withLabHome { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            let result = try await home.client("login", "--via", "idp", "--json").expect(0).json()
            await idp.stopped().expect(143)
            try await body(home, try #require(result["flow"]?.stringValue))
        }
    }

    @Test func `last, an id and its beginning show one login across both apps and the provider`() async throws {
        try await withLogin { home, flow in
            let last = try await home.run(.lab, ["trace", "last", "--json"]).expect(0).json()
            #expect(last["schemaVersion"] == 1)
            #expect(last["flow"]?.stringValue == flow)
            #expect(last["outcome"] == "logged in")
            for name in [flow, String(flow.prefix(8))] {
                #expect(try await home.run(.lab, ["trace", name, "--json"]).expect(0).json() == last)
            }
            let steps = try #require(last["steps"]?.arrayValue)
            let commands = steps.compactMap { $0["command"]?.stringValue }
            #expect(commands == ["authrequest", "authresponse", "authack"])
            #expect(steps.filter { $0["kind"] == "command" }.allSatisfy { $0["verdict"] == "taken" })
            let requests = steps.filter { $0["kind"] == "request" }.compactMap { $0["path"]?.stringValue }
            for path in ["/authorize-challenge", "/token", "/userinfo"] { #expect(requests.contains(path)) }
            // What the provider wrote of a request stands between the request and what it led to.
            let places = ["/authorize-challenge", "/token"].map { path in
                steps.firstIndex { $0["path"]?.stringValue == path }
            }
            let issued = steps.firstIndex { $0["from"] == "provider" }
            #expect(try #require(places[0]) < #require(issued))
            let text = try await home.run(.lab, ["trace", "last"]).expect(0)
            #expect(text.output.allSatisfy { $0.count <= 80 && !$0.contains("\u{1B}") }, "\(text.text)")
            #expect(text.text.contains("authresponse") && text.text.contains("taken, direct"))
            let diagram = try await home.run(.lab, ["trace", "last", "--format", "mermaid"]).expect(0)
            #expect(diagram.output.first == "sequenceDiagram")
        }
    }

    @Test func `list names each flow, and what is not there names the next step`() async throws {
        try await withLogin { home, flow in
            let flows = try await home.run(.lab, ["trace", "list", "--json"]).expect(0).json()["flows"]?.arrayValue
            #expect(flows?.first?["flow"]?.stringValue == flow)
            #expect(flows?.first?["kind"] == "client-initiated")
            // The sign-in at the identity provider app is a flow of its own; signs of life are left out.
            #expect(flows?.compactMap { $0["kind"]?.stringValue } == ["client-initiated", "local"])
            let names = try await home.run(.lab, ["trace", "list", "--names"]).expect(0).output
            #expect(names == flows?.compactMap { $0["flow"]?.stringValue.map { String($0.prefix(8)) } })
            let all = try await home.run(.lab, ["trace", "list", "--all", "--json"]).expect(0).json()["flows"]?
                .arrayValue
            #expect(all?.contains { $0["kind"] == "presence" } == true)
            let missing = try await home.run(.lab, ["trace", "zzzz"]).expect(1, "no-such-flow")
            #expect(missing.nextStep?.contains("countersign trace list") == true)
        }
        try await withLabHome(users: []) { home in
            try await home.run(.lab, ["trace", "list"]).expect(5, "home-missing")
            try await home.idp("apps", "list").expect(0)
            #expect(try await home.run(.lab, ["trace"]).expect(0).text.contains("countersign-client login"))
        }
    }

    @Test func `every app's log is its own file, private, and the provider's too`() async throws {
        try await withLogin { home, flow in
            for app in [LabHome.clientID, LabHome.idpID, "provider"] {
                let path = home.layout.logs + "/" + app + ".jsonl"
                // Refuses a file that others can reach.
                _ = try PrivateFile(path: path).read(atMost: 1 << 20)
                let entries = try home.log(app)
                #expect(entries.contains { $0["flow"]?.stringValue == flow })
                #expect(entries.allSatisfy { $0["seq"] != nil && $0["pid"] != nil && $0["app"]?.stringValue == app })
            }
        }
    }

    @Test func `an app that cannot start says so in its log`() async throws {
        try await withLabHome { home in
            try await home.idp("apps", "add", LabHome.clientID).expect(0)
            try await home.client("login", "--bus", "unix:path=/nowhere/bus").expect(5, "bus-unavailable")
            let last = try #require(try home.log(LabHome.clientID).last)
            #expect(last["message"] == "could not start" && last["code"] == "bus-unavailable")
        }
    }
}
