import Basics
import FoundationEssentials
import LinuxPlatform
import Platform
import TestSupport
import Testing

/// A login that the client begins, with real processes, a real bus, and the provider over HTTP.
@Suite(.serialized, .loginHome) struct LoginTests {
    let home: LabHome
    let prompt: PromptProgram

    init() throws {
        home = try #require(LabHomeTrait.current)
        prompt = try PromptProgram(in: home)
    }

    @Test func `the subject is the same wherever it is asked for`() async throws {
        let users = try await home.idp("users", "list", "--json").expect(0).json()["users"]?.arrayValue
        let registered = try #require(users?.first?["subject"]?.stringValue)
        let own = try #require(try await home.accounts(.idp).first)
        let account = try #require(try await home.accounts().first)
        let claims = try await home.client("userinfo", "--json").expect(0).json()
        let again = try await home.client("login", "--via", "idp", "--json").expect(0).json()
        #expect(own["subject"]?.stringValue == registered)
        #expect(account["subject"]?.stringValue == registered)
        #expect(claims["sub"]?.stringValue == registered)
        #expect(again["account"]?["subject"]?.stringValue == registered)
        #expect(account["issuer"] == own["issuer"])
    }

    @Test(.rule("S4", "T27")) func `a login host is one that is registered, and another one is refused`() async throws {
        let host = try #require(try await home.accounts().first?["issuer"]?.stringValue).dropFirst("http://".count)
        try await home.client("login", "--via", "idp", "--login-host", "\(host)").expect(0)
        let before = try await home.accounts()
        try await home.client("login", "--via", "idp", "--login-host", "evil.example").expect(4, "peer-refused")
        #expect(try home.log(LabHome.idpID).last { $0["kind"] == "refused" }?["code"] == "unregistered-host")
        try await home.client("login", "--via", "local", "--login-host", "evil.example").expect(
            4, "unknown-login-host")
        #expect(try await home.accounts() == before)
    }

    @Test func `the account is current and has the user's name and address`() async throws {
        let accounts = try await home.accounts()
        #expect(accounts.count == 1)
        #expect(accounts.first?["current"] == true)
        #expect(accounts.first?["username"] == "alice")
        #expect(accounts.first?["email"] == "alice@example.com")
        let opened = try await home.client().expect(0)
        #expect(opened.text.contains("alice is logged in."))
    }

    @Test func `the person is asked once, and a second login asks nothing`() async throws {
        let before = try prompt.asked().count
        #expect(try prompt.count(of: .consent) == 1)
        try await home.client("login", "--via", "idp").expect(0)
        #expect(try prompt.asked().count == before)
    }

    @Test func `the question names the client by the registry's words and its key`() throws {
        let asker = try #require(try prompt.asked().first?["asker"])
        #expect(asker["name"] == "Countersign Client")
        #expect(asker["id"]?.stringValue == LabHome.clientID)
        #expect(asker["keyFingerprint"]?.stringValue?.isEmpty == false)
    }

    @Test func `both logs tell the flow under one name`() async throws {
        let login = try await home.client("login", "--via", "idp", "--json").expect(0).json()
        let flow = try #require(login["flow"])
        func commands(_ app: String, _ kind: JSONValue) throws -> [JSONValue?] {
            try home.log(app).filter { $0["flow"] == flow && $0["kind"] == kind }.map { $0["fields"]?["command"] }
        }
        #expect(try commands(LabHome.clientID, "sent") == ["authrequest", "authack"])
        #expect(try commands(LabHome.clientID, "received") == ["authresponse"])
        // The report may still be on its way when the client has its account.
        try await eventually("authack in the identity provider app's log") {
            try commands(LabHome.idpID, "received") == ["authrequest", "authack"] ? true : nil
        }
        #expect(try commands(LabHome.idpID, "sent") == ["authresponse"])
    }

    @Test func `the header lines of token --header open userinfo once, for any HTTP client`() async throws {
        let url = try #require(try await home.accounts().first?["issuer"]?.stringValue) + "/userinfo"
        let lines = try await home.client("token", "--header", "--url", url).expect(0).output
        var headers = HTTPHeaders()
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.add(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        #expect(headers.fields.map(\.name) == ["Authorization", "DPoP"])
        let http = try CurlHTTPClient()
        defer { http.stop() }
        let answer = try await http.send(HTTPCall("GET", url, headers: headers))
        #expect(answer.status == 200)
        #expect(try JSONValue(parsing: answer.body)["preferred_username"] == "alice")
        let again = try await http.send(HTTPCall("GET", url, headers: headers))
        #expect(try JSONValue(parsing: again.body)["error"] == "invalid_dpop_proof")
        var alone = HTTPHeaders()
        alone.add("Authorization", try #require(headers.single("Authorization")))
        let unproved = try await http.send(HTTPCall("GET", url, headers: alone))
        #expect(try JSONValue(parsing: unproved.body)["error"] == "invalid_dpop_proof")
        #expect(again.status != 200 && unproved.status != 200)
    }

    @Test(.enabled(if: Tool.curl.isInstalled, "curl is not installed"))
    func `curl reads userinfo with the lines of token --header`() async throws {
        let lines = try await home.client("token", "--header").expect(0).output
        let url = try #require(try await home.accounts().first?["issuer"]?.stringValue) + "/userinfo"
        let curl = try await RunningProgram.start(
            try #require(Tool.curl.path), ["--silent", "--max-time", "10", "--header", "@-", url],
            environment: home.environment, input: lines.joined(separator: "\n"))
        #expect(try await curl.ended().expect(0).json()["email"] == "alice@example.com")
    }

    @Test func `token --env and --bare give the same kind of token as --json`() async throws {
        let bare = try await home.client("token", "--bare").expect(0).text
        let shell = try await home.client("token", "--env").expect(0).output
        let json = try await home.client("token", "--json").expect(0).json()
        #expect(shell == ["ACCESS_TOKEN=\(bare)", "TOKEN_TYPE=DPoP"])
        #expect(json["accessToken"]?.stringValue == bare)
        try await home.client("token", "--bare", "--env").expect(2, "invalid-value")
    }
}

extension Trait where Self == LabHomeTrait {
    fileprivate static var loginHome: Self {
        .labHome { home in
            let prompt = try PromptProgram(in: home, answers: [.consent: #"{"choice":"allow"}"#])
            _ = try await home.serve(.idp, prompt: prompt.option)
            try await home.signIn("alice")
            try await home.client("login", "--via", "idp").expect(0)
        }
    }
}
