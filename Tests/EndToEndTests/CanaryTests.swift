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
}
