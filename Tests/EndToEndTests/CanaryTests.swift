import Basics
import FoundationEssentials
import JOSE
import LinuxPlatform
import Platform
import TestSupport
import Testing

/// No secret stands in any file that a whole run writes, in any form.
@Suite(.serialized) struct CanaryTests {
    private let password = "Canary in the coal mine: 7/+ä&%=9"

    @Test func `a planted canary is found in every form`() {
        let search = CanarySearch(["password": password])
        let forms = CanarySearch.forms(of: password)
        #expect(forms.count == 9)
        for (name, bytes) in forms {
            let planted = Array("{\"before\":\"".utf8) + bytes + Array("\"}".utf8)
            #expect(search.findings(in: planted).contains("password, \(name)"), "\(name)")
        }
        #expect(search.findings(in: Array(#"{"before":"Canary in the gold mine"}"#.utf8)).isEmpty)
    }

    @Test func `a planted canary is found in a file, and inside a token's part`() async throws {
        try await withLabHome(users: []) { home in
            let search = CanarySearch(["password": password])
            _ = try home.file("log.jsonl", "{\"message\":\"\(password)\"}\n")
            #expect(try !search.findings(under: home.root).isEmpty)
            let hidden = Base64URL.encode(Array("{\"code\":\"\(password)\"}".utf8))
            _ = try home.file("log.jsonl", "{\"token\":\"e30.\(hidden).\"}\n")
            #expect(try search.findings(under: home.root).contains { $0.hasSuffix("inside base64url") })
        }
    }

    @Test func `a planted canary is found in forms inside one another`() {
        let search = CanarySearch(["password": password])
        // A claim of a request object that is a claim of a command, in a URL that is escaped once more.
        let inner = Base64URL.encode(Array("{\"code\":\"\(password)\"}".utf8))
        let outer = Base64URL.encode(Array("{\"request\":\"e30.\(inner).AAAA\"}".utf8))
        let escaped = "x://y?command=e30.\(outer).AAAA".utf8.map { byte in
            byte == UInt8(ascii: ".") || byte == UInt8(ascii: "=")
                ? "%" + String(byte, radix: 16) : String(UnicodeScalar(byte))
        }.joined()
        #expect(!search.findings(throughout: Array(escaped.utf8)).isEmpty)
        #expect(search.findings(in: Array(escaped.utf8)).isEmpty)
        #expect(search.findings(throughout: Array("x://y?command=e30.e30.AAAA".utf8)).isEmpty)
    }

    @Test(.rule("S19", "A160", "A162"))
    func `neither a password nor a token stands in any file of a home or in what its programs said`()
        async throws
    {
        try await withLabHome(users: []) { home in
            for user in ["alice", "bob"] { try await home.addUser(user, password: "\(password) \(user)") }
            let idp = try await home.serve(.idp, prompt: "script:allow", environment: [:])
            for user in ["alice", "bob"] { try await home.signIn(user) }
            let client = try await home.serve(.client, prompt: "script:switch")
            var said: [Finished] = []
            said.append(try await home.client("login", "--via", "idp", "--user-hint", "alice", "-vv").expect(0))
            said.append(try await home.idp("open", LabHome.clientID, "--user", "bob", "--keychain").expect(0))
            said.append(try await home.idp("open", LabHome.clientID, "--user", "alice", "--json", "-vv").expect(0))
            var secrets = ["password": password]
            for user in ["alice", "bob"] {
                let token = try await home.client("token", "--bare", "--account", user).expect(0).text
                let fresh = try await home.client(
                    "token", "--bare", "--account", user, "--min-valid", "2h"
                ).expect(0).text
                #expect(fresh != token)
                secrets["\(user)'s token"] = token
                secrets["\(user)'s token after a refresh"] = fresh
            }
            said.append(try await home.client("userinfo").expect(0))
            let wrong = try home.file("wrong", "\(password) wrong\n")
            said.append(try await home.idp("login", "--user", "alice", "--password-file", wrong, "-vv").expect(4))
            said.append(await client.stopped())
            said.append(await idp.stopped())
            let search = CanarySearch(secrets)
            // The files that tell the programs the passwords are the tests' own, and lie beside the home.
            #expect(try search.findings(under: home.path) == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: home.layout.logs).count >= 2)
            for program in said { #expect(search.findings(in: Array(program.description.utf8)) == []) }
        }
    }

    @Test(.rule("B3")) func `who listens on the bus through a whole login learns no name, code or token`() async throws
    {
        try await withLabHome(users: []) { home in
            let name = "canary-7f3a@example.com"
            try await home.addUser(name, password: password)
            // The program that asks leaves its arguments and its environment behind, outside of the home.
            let prompt = try PromptProgram(in: home, answers: [.consent: #"{"choice":"allow"}"#], leavesArguments: true)
            let idp = try await home.start(.idp, ["serve", "--json", "-vv", "--prompt", prompt.option])
            _ = try await idp.ready()
            let client = try await home.start(.client, ["serve", "--json", "-vv", "--prompt", "script:switch"])
            let bus = try await home.bus(of: client)
            try await home.signIn(name)

            let monitor = try await RawBus(bus)
            try await monitor.becomeMonitor()
            let login = try await home.client(
                "login", "--via", "idp", "--user-hint", name, "--json", "-vv", "--timeout", "100s"
            ).expect(0)
            let account = try #require(try login.json()["account"])
            #expect(account["username"]?.stringValue == name)
            try await home.idp("open", LabHome.clientID, "--user", name, "-vv").expect(0)
            // Every sender is served before it: what it says shows that all of the above was heard.
            let planted = try await RawBus(bus)
            try await planted.open("x:\(name)", at: LabHome.clientID, expectsReply: false)
            let marker = Array("x:\(name)".utf8)
            try await eventually("the planted message is heard") {
                monitor.arrived.firstRange(of: marker) == nil ? nil : true
            }
            var heard = monitor.arrived
            let end = try #require(heard.firstRange(of: marker))
            heard.removeSubrange(end.lowerBound...)

            var secrets = [
                "name": name, "password": password, "subject": try #require(account["subject"]?.stringValue),
            ]
            let search = CanarySearch(secrets)
            for command in ["authrequest", "authresponse", "authack", "ping", "pong", "idpinit"] {
                #expect(heard.firstRange(of: Array("/v1.0/\(command)?command=".utf8)) != nil, "\(command)")
            }
            #expect(search.findings(throughout: heard) == [])
            // Neither a program that was started, nor its environment, nor what runs now was told.
            #expect(search.findings(throughout: try prompt.leftArguments()) == [])
            let running = [idp.processID, client.processID].flatMap { Self.commandLines(under: $0) }
            #expect(!running.isEmpty)
            #expect(running.allSatisfy { search.findings(throughout: $0).isEmpty })

            secrets["name"] = nil
            secrets["subject"] = nil
            secrets["token"] = try await home.client("token", "--bare").expect(0).text
            let inFiles = CanarySearch(secrets)
            #expect(inFiles.findings(throughout: heard) == [])
            var said = [login, await client.stopped(), await idp.stopped()].map { Array($0.description.utf8) }
            said.append(try Data(contentsOf: URL(filePath: prompt.path + ".asked")).map { $0 })
            for output in said { #expect(inFiles.findings(throughout: output) == []) }
            #expect(try inFiles.findings(under: home.path) == [])
        }
    }

    /// The command lines of a process and of those that it has started.
    private static func commandLines(under process: Int32) -> [[UInt8]] {
        let children =
            (try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8))?
            .split(separator: " ").compactMap { Int32($0) } ?? []
        let own = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))).map { [UInt8]($0) }
        return [own].compactMap { $0 } + children.flatMap { commandLines(under: $0) }
    }
}
