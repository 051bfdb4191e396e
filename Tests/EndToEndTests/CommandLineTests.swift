import Basics
import CommandLineInterface
import FoundationEssentials
import JOSE
import LinuxPlatform
import Platform
import TestSupport
import Testing

@testable import ClientApp
@testable import IDPApp

/// The programs as commands: tables, help, errors, and who may run beside whom.
@Suite(.serialized) struct CommandLineTests {
    @Test func `the command tables have no mistakes`() {
        #expect(IDPProgram.program.tableMistakes == [])
        #expect(ClientProgram.program.tableMistakes == [])
    }

    @Test(arguments: [Program.idp, .client])
    func `a flag or command that is nearly right is named, and the exit is 2`(_ program: Program) async throws {
        try await withLabHome(users: []) { home in
            let flag = try await home.run(program, ["accounts", "--jsno"]).expect(2, "unknown-option")
            #expect((flag.errors.joined() + (flag.nextStep ?? "")).contains("--json"))
            let command = try await home.run(program, ["acounts"])
            #expect(command.exit == .exited(2), "\(command)")
            #expect(command.errors.joined().contains("accounts"))
        }
    }

    @Test(arguments: [Program.idp, .client])
    func `version, help and completion are there without a home`(_ program: Program) async throws {
        try await withLabHome(users: []) { home in
            #expect(try await home.run(program, ["--version"]).expect(0).text.contains(program.rawValue))
            let version = try await home.run(program, ["--version", "--json"]).expect(0).json()
            #expect(version["version"] == .string(IDPProgram.program.version))
            #expect(try await home.run(program, ["--help"]).expect(0).text.contains(program.rawValue))
            for shell in ["bash", "zsh", "fish"] {
                #expect(try await home.run(program, ["completion", shell]).expect(0).text.contains("login"))
            }
            #expect(!FileManager.default.fileExists(atPath: home.path))
        }
    }

    @Test func `with --json an error is also one object on standard output`() async throws {
        try await withLabHome(users: []) { home in
            let ended = try await home.client("accounts", "--json").expect(5, "home-missing")
            #expect(ended.output.count == 1)
            let object = try ended.json()
            #expect(object["schemaVersion"] == 1)
            #expect(object["error"]?["code"] == "home-missing")
            #expect(object["error"]?["nextStep"]?.stringValue == ended.nextStep)
            #expect(try await home.client("accounts").output.isEmpty)
        }
    }

    @Test func `serve in an empty home without anybody to ask names the way out`() async throws {
        try await withLabHome(users: []) { home in
            let ended = try await home.idp("serve", "--no-input").expect(4, "no-users")
            #expect(ended.nextStep?.contains("countersign-idp users add") == true)
            try await home.addUser("alice")
            _ = try await home.serve(.idp, prompt: "script:allow")
        }
    }

    @Test func `serve asks for the first user of an empty home, and that user can sign in`() async throws {
        try await withLabHome(users: []) { home in
            let prompt = try PromptProgram(
                in: home,
                answers: [
                    .firstUser:
                        #"{"choice":"create","fields":{"username":"alice","password":"open sesame","again":"open sesame"}}"#
                ])
            let serving = try await home.start(.idp, ["serve", "--prompt", prompt.option])
            try await eventually("the home is served") { serving.output.isEmpty ? nil : true }
            #expect(serving.output.joined().contains("login"))
            let file = try home.file("password", "open sesame")
            try await home.idp("login", "--user", "alice", "--password-file", file).expect(0)
        }
    }

    @Test(.rule("T34")) func `each app runs once in a home, and the second is told who has its place`() async throws {
        try await withLabHome { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            let second = try await home.idp("serve", "--json").expect(5)
            #expect(["port-taken", "bus-name-taken"].contains(second.errorCode), "\(second)")
            #expect(second.errors.joined().contains("\(idp.processID)"), "\(second)")
            let client = try await home.serve(.client, prompt: "script:switch")
            let other = try await home.client("serve", "--json").expect(5, "bus-name-taken")
            #expect(try other.json()["error"]?["code"] == "bus-name-taken")
            // The first are as they were.
            try await home.signIn("alice")
            try await home.client("login", "--via", "idp").expect(0)
            await client.stopped().expect(143)
            await idp.stopped().expect(143)
            let bus = try await home.serve(.idp, prompt: "script:allow")
            await bus.stopped().expect(143)
        }
    }

    @Test func `a home that several programs make at once is made once`() async throws {
        try await withLabHome(users: []) { home in
            let names = ["alice", "bob", "carol", "dave"]
            for name in names { _ = try home.file(name, LabHome.password) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in names {
                    group.addTask {
                        try await home.idp("users", "add", name, "--password-file", home.root + "/" + name).expect(0)
                    }
                }
                try await group.waitForAll()
            }
            let users = try await home.idp("users", "list", "--json").expect(0).json()["users"]?.arrayValue
            #expect(users?.compactMap { $0["username"]?.stringValue } == names)
            _ = try await home.serve(.idp, prompt: "script:allow")
            let file = home.root + "/dave"
            try await home.idp("login", "--user", "dave", "--password-file", file).expect(0)
        }
    }

    @Test func `an app keeps what a new description does not name`() async throws {
        try await withLabHome(users: []) { home in
            try await home.idp(
                "apps", "add", "com.example.notes", "--scheme", "example-notes", "--name", "Notes", "--exec",
                "/bin/sh", "--host", "notes.example.com"
            ).expect(0)
            try await home.idp("apps", "add", "com.example.notes", "--delivery", "direct").expect(0)
            let app = try await home.idp("apps", "show", "com.example.notes", "--json").expect(0).json()
            #expect(app["delivery"] == "direct")
            #expect(app["scheme"] == "example-notes")
            #expect(app["name"] == "Notes")
            #expect(app["hosts"] == ["notes.example.com"])
            // Without --scheme or --exec a new one is a plain client, which needs a redirect URI.
            try await home.idp("apps", "add", "com.example.other", "--delivery", "direct").expect(2, "invalid-value")
        }
    }

    @Test func `a plain client that is listed is shown, and is no app that could be changed`() async throws {
        try await withLabHome(users: []) { home in
            let id = "com.example.web"
            try await home.idp("apps", "add", id, "--redirect", "https://example.com/cb", "--name", "Web").expect(0)
            #expect(try await home.idp("apps", "list").expect(0).text.contains(id))
            let shown = try await home.idp("apps", "show", id, "--json").expect(0).json()
            #expect(shown["clientID"] == "com.example.web" && shown["name"] == "Web")
            #expect(shown["redirectURIs"] == ["https://example.com/cb"])
            #expect(try await home.idp("apps", "show", id).expect(0).text.contains("https://example.com/cb"))
            try await home.idp("apps", "change", id, "--name", "Other").expect(1, "unknown-app")
            try await home.idp("apps", "remove", id).expect(0)
            try await home.idp("apps", "show", id).expect(1, "unknown-app")
        }
    }

    @Test func `a program that is not there yet is remarked on, and one that is there is not`() async throws {
        try await withLabHome(users: []) { home in
            let words = ["apps", "add", "com.example.notes", "--scheme", "com.example.notes", "--exec"]
            let absent = try await home.run(.idp, words + [home.root + "/notes"]).expect(0)
            #expect(absent.errors.contains { $0.hasPrefix("note: there is no program at \(home.root)/notes") })
            let there = try await home.run(.idp, words + ["/bin/sh"]).expect(0)
            #expect(!there.errors.contains { $0.hasPrefix("note: ") })
        }
    }

    @Test
    func `keys are exported for those who ask, readable by the owner alone, and again when the app is registered anew`()
        async throws
    {
        try await withLabHome(users: []) { home in
            try await home.idp("apps", "add", "com.example.notes", "--scheme", "example-notes").expect(0)
            let file = home.layout.app("com.example.notes") + "/keys.json"
            #expect(!FileManager.default.fileExists(atPath: file))
            try await home.idp("apps", "add", "com.example.notes", "--export-keys").expect(0)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let keys = try String(contentsOfFile: file, encoding: .utf8)
            #expect(try keys.parsed["oauth"]?["d"] != nil)
            try FileManager.default.removeItem(atPath: file)
            try "{}".write(toFile: file, atomically: true, encoding: .utf8)
            try await home.idp("apps", "add", "com.example.notes", "--name", "Notes").expect(0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == keys)
        }
    }

    @Test func `what an app may name is changed in place, shown whole, and refused where it is none`() async throws {
        try await withLabHome(users: []) { home in
            let id = "com.example.notes"
            try await home.idp("apps", "change", id, "--consent", "always").expect(1, "unknown-app")
            try await home.idp("apps", "add", id, "--scheme", "example-notes").expect(0)
            let kid = try await home.idp("apps", "show", id, "--json").expect(0).json()["keys"]
            try await home.idp(
                "apps", "change", id, "--consent", "always", "--host", "Login.Example.com", "--redirect",
                "example-notes://other", "--scope-list", "openid profile"
            ).expect(0)
            let shown = try await home.idp("apps", "show", id).expect(0).text
            for part in ["always", "login.example.com", "example-notes://other", "openid profile", "ES256"] {
                #expect(shown.contains(part), "\(part)")
            }
            #expect(try await home.idp("apps", "show", id, "--json").expect(0).json()["keys"] == kid)
            // What no manifest can hold is refused, and nothing has changed.
            try await home.idp("apps", "change", id, "--host", "no host").expect(3, "invalid-yaml")
            #expect(try await home.idp("apps", "show", id).expect(0).text == shown)
        }
    }

    @Test func `an app that made its own keys is registered with their public halves, and none is made for it`()
        async throws
    {
        try await withLabHome(users: []) { home in
            let id = "com.example.own"
            let own = try OwnKeys()
            let add = [
                "apps", "add", id, "--scheme", id, "--json", "--jwks",
                "@" + (try home.file("keys.json", own.publicSet)),
            ]
            let added = try await home.run(.idp, add).expect(0).json()
            #expect(added["keys"]?["command"]?["kid"]?.stringValue == own.command.keyID)
            #expect(added["keys"]?["command"]?["alg"] == "EdDSA")
            #expect(added["keys"]?["oauth"]?["kid"]?.stringValue == own.oauth.keyID)
            let folder = try FileManager.default.contentsOfDirectory(atPath: home.layout.app(id)).sorted()
            #expect(folder == ["app.yaml", "certificate.pem"])
            // The same again is no change; other keys are none by the way.
            try await home.run(.idp, add).expect(0)
            let others = try home.file("others.json", try OwnKeys().publicSet)
            try await home.idp("apps", "add", id, "--jwks", "@" + others).expect(1, "app-has-other-keys")
            let exposed = try home.file("private.json", try own.privateSet)
            try await home.idp("apps", "add", "com.example.other", "--jwks", "@" + exposed).expect(
                4, "exposed-private-key")
            try await home.idp("apps", "show", "com.example.other").expect(1, "unknown-app")
        }
    }
}
