import Basics
import LinuxPlatform
import Platform
import TestSupport
import Testing

/// Logins one after another, side by side, and in two homes.
@Suite(.serialized) struct ManyLoginsTests {
    @Test(.rule("T20")) func `ten logins and logouts of two users in turn give ten results`() async throws {
        try await withLabHome(users: ["alice", "bob"]) { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            for user in ["alice", "bob"] { try await home.signIn(user) }
            let client = try await home.serve(.client, prompt: "script:switch")
            var subjects: [String: Set<String>] = [:]
            for number in 0..<10 {
                let user = number.isMultiple(of: 2) ? "alice" : "bob"
                let login = try await home.client("login", "--via", "idp", "--user-hint", user, "--json").expect(0)
                    .json()
                #expect(login["account"]?["username"]?.stringValue == user)
                subjects[user, default: []].insert(try #require(login["account"]?["subject"]?.stringValue))
                #expect(try await home.currentUser() == user)
                let logout = try await home.client("logout", "--json").expect(0).json()
                #expect(logout["account"]?["username"]?.stringValue == user)
                #expect(logout["revoked"] == true)
                #expect(try await home.accounts().isEmpty)
            }
            #expect(subjects.mapValues(\.count) == ["alice": 1, "bob": 1])
            // The one that owns the name sent them all.
            let outcomes = try home.log(LabHome.idpID).filter { $0["message"] == "ended: logged_in" }
            #expect(outcomes.count == 10)
            await client.stopped().expect(143)
            await idp.stopped().expect(143)
        }
    }

    @Test func `logins of one client at the same time each get their result`() async throws {
        try await withLabHome { home in
            _ = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            _ = try await home.serve(.client, prompt: "script:switch")
            let logins = try await withThrowingTaskGroup(of: Finished.self) { group in
                for _ in 0..<4 { group.addTask { try await home.client("login", "--via", "idp", "--json") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for login in logins { login.expect(0) }
            #expect(Set(try logins.map { try $0.json()["flow"]?.stringValue }).count == 4)
            #expect(try await home.accounts().count == 1)
        }
    }

    @Test func `logins of one client at the same time, with nothing of it serving, each get their result`()
        async throws
    {
        try await withLabHome { home in
            _ = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            let logins = try await withThrowingTaskGroup(of: Finished.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await home.client("login", "--via", "idp", "--timeout", "110s", "--json") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Whoever owns the name first sends for the others; when it leaves, one of them takes its place.
            for login in logins { #expect(try login.expect(0).json()["account"]?["username"] == "alice") }
            #expect(Set(try logins.map { try $0.json()["flow"]?.stringValue }).count == 4)
            #expect(try await home.accounts().count == 1)
        }
    }

    @Test(.rule("A059")) func `twenty logins of four clients, five each, at the same time end in twenty accounts`()
        async throws
    {
        let users = ["alice", "bob", "carol", "dave", "erin"]
        let apps = (1...4).map { "org.example.app\($0)" }
        try await withLabHome(users: users) { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            for user in users { try await home.signIn(user) }
            for app in apps {
                try await home.idp("apps", "add", app, "--scheme", app, "--exec", Program.client.path).expect(0)
                let serving = try await home.start(
                    .client, ["--app", app, "serve", "--json", "--prompt", "script:switch"])
                _ = try await serving.ready()
            }
            let logins = try await withThrowingTaskGroup(of: (String, Finished).self) { group in
                for app in apps {
                    for user in users {
                        group.addTask {
                            let login = try await home.client(
                                "--app", app, "login", "--via", "idp", "--user-hint", user, "--timeout", "110s",
                                "--json")
                            return (user, login)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            var flows: Set<String> = []
            for (user, login) in logins {
                let result = try login.expect(0).json()
                #expect(result["account"]?["username"]?.stringValue == user)
                flows.insert(try #require(result["flow"]?.stringValue))
            }
            #expect(flows.count == 20)
            for app in apps {
                let accounts = try await home.client("--app", app, "accounts", "--json").expect(0).json()
                #expect(accounts["accounts"]?.arrayValue?.compactMap { $0["username"]?.stringValue }.sorted() == users)
            }
            await idp.stopped().expect(143)
        }
    }

    @Test(.rule("A043")) func `two homes log in at the same time beside one session bus, and neither sees the other`()
        async throws
    {
        try await SessionBus.running { session in
            try await withLabHome(try LabHome(sessionBus: session.address)) { one in
                try await withLabHome(try LabHome(sessionBus: session.address)) { other in
                    let buses = try await [one, other].asyncMap { home in
                        _ = try await home.serve(.idp, prompt: "script:allow")
                        try await home.signIn("alice")
                        return try await home.bus(of: try await home.serve(.client, prompt: "script:switch"))
                    }
                    #expect(Set(buses + [session.address]).count == 3)
                    async let first = one.client("login", "--via", "idp", "--json")
                    async let second = other.client("login", "--via", "idp", "--json")
                    let accounts = try await [first, second].map { try $0.expect(0).json()["account"] }
                    #expect(accounts[0]?["issuer"] != accounts[1]?["issuer"])
                    #expect(accounts[0]?["subject"] != accounts[1]?["subject"])
                    #expect(try await one.accounts().count == 1)
                    #expect(try await other.accounts().count == 1)
                    try await carry(from: one, to: other)
                }
            }
        }
    }

    @Test func `the default home uses the session bus where there is one`() async throws {
        try await SessionBus.running { session in
            try await withLabHome(try LabHome(isDefault: true, sessionBus: session.address)) { home in
                let serving = try await home.serve(.idp, prompt: "script:allow")
                #expect(try await home.bus(of: serving) == session.address)
                try await home.signIn("alice")
                let login = try await home.client("login", "--via", "idp", "--json").expect(0).json()
                #expect(login["account"]?["username"] == "alice")
                await serving.stopped().expect(143)
            }
        }
    }

    /// A URL of one home is nothing that the other can read.
    private func carry(from one: LabHome, to other: LabHome) async throws {
        let url = try await one.idp("open", LabHome.clientID, "--print").expect(0).text
        let file = try other.file("command.txt", url)
        let before = try await other.accounts()
        let lines = try other.log(LabHome.clientID).count
        // The client that serves takes it.
        try await other.client("handle", "@\(file)").expect(0)
        #expect(try await other.refusal(after: lines)["code"] == "undecryptable")
        #expect(try await other.accounts() == before)
        let own = try one.file("command.txt", url)
        let refused = try one.log(LabHome.clientID).count { $0["kind"] == "refused" }
        try await one.client("handle", "@\(own)").expect(0)
        try await eventually("the invitation is taken at home") {
            try one.log(LabHome.clientID).last { $0["fields"]?["command"] == "idpinit" && $0["kind"] == "received" }
        }
        #expect(try one.log(LabHome.clientID).count { $0["kind"] == "refused" } == refused)
    }
}

extension Array where Element: Sendable {
    /// The results of `transform`, one after another.
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
