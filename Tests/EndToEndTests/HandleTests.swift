import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform
import TestSupport
import Testing

/// URLs that come by an argument, a file or a paste, with real programs.
@Suite(.serialized, .handleHome) struct HandleTests {
    let home: LabHome
    let prompt: PromptProgram

    init() throws {
        home = try #require(LabHomeTrait.current)
        prompt = try PromptProgram(
            in: home, "handle-prompt",
            answers: [
                .switchConfirmation: #"{"choice":"switch"}"#, .consent: #"{"choice":"allow"}"#,
                .userSelection: #"{"choice":"account-1"}"#,
            ])
    }

    private func whileServing(_ program: Program, _ body: () async throws -> Void) async throws {
        let serving = try await home.serve(program, prompt: prompt.option)
        try await always(body) { await serving.stopped().expect(143) }
    }

    private func invitation(to user: String) async throws -> String {
        try await home.idp("open", LabHome.clientID, "--user", user, "--print").expect(0).text
    }

    /// How many commands the client has taken.
    private func received() throws -> [JSONValue] {
        try home.log(LabHome.clientID).filter { $0["kind"] == "received" && $0["fields"]?["command"] == "idpinit" }
    }

    @Test(.rule("A052", "A053", "T26"))
    func `a second instance hands every URL to the first, as opened ones, and ends with 0`() async throws {
        try await whileServing(.idp) {
            let urls = [try await invitation(to: "bob"), try await invitation(to: "alice")]
            try await whileServing(.client) {
                let before = try received().count
                let asked = try prompt.count(of: .switchConfirmation)
                let ended = try await home.run(.client, ["handle", "--json"] + urls).expect(0)
                #expect(try ended.json()["forwarded"] == 2)
                let taken = try await eventually("both are taken", within: .seconds(60)) {
                    let taken = try received().dropFirst(before)
                    return try taken.count == 2 && prompt.count(of: .switchConfirmation) == asked + 2 ? taken : nil
                }
                #expect(taken.allSatisfy { $0["fields"]?["transport"] == "opener" })
            }
        }
    }

    @Test(.rule("A053")) func `a second instance waits for no lock that the first may hold`() async throws {
        try await whileServing(.idp) {
            let url = try await invitation(to: "bob")
            try await whileServing(.client) {
                // The first one's files, held as they may be while it sets up.
                let locked = try HeldLocks([
                    home.layout.records(of: LabHome.clientID), home.layout.secrets(of: LabHome.clientID),
                ])
                defer { locked.release() }
                try await home.client("handle", url).expect(0)
            }
        }
    }

    @Test(.rule("T26", "A054")) func `without a first instance every URL is handled here`() async throws {
        try await whileServing(.idp) {
            let urls = "\(try await invitation(to: "bob"))\n\(try await invitation(to: "alice"))\n"
            let before = try received().count
            try await home.run(.client, ["handle", "-", "--prompt", prompt.option], input: urls).expect(0)
            #expect(try received().count == before + 2)
            #expect(try await home.currentUser() == "alice")
            // One that is refused does not stop the others.
            let odd = "\(LabHome.clientID)://oauth2/v1.0/idpinit?command=a.b.c"
            let next = try await invitation(to: "bob")
            try await home.run(.client, ["handle", odd, next, "--prompt", prompt.option]).expect(4)
            #expect(try await home.currentUser() == "bob")
        }
    }

    @Test(arguments: [Program.client, .idp])
    func `a URL of another version is refused with both versions, and one that is nobody's by its own code`(
        _ program: Program
    ) async throws {
        let id = program == .client ? LabHome.clientID : LabHome.idpID
        let ended = try await home.run(program, ["handle", "\(id)://oauth2/v2.0/cancel?command=x"])
            .expect(5, "protocol-version")
        #expect(ended.errors.first?.contains("v2.0") == true)
        #expect(ended.errors.first?.contains("v1.0") == true)
        try await home.run(program, ["handle", "https://example.com/"]).expect(1, "not-for-this-app")
        try await home.run(program, ["handle", "-"]).expect(5, "unreadable-input")
    }

    @Test func `a request that the manifest's opener carried is answered by an app that runs for it alone`()
        async throws
    {
        let opener = home.root + "/opener"
        try Data("#!/bin/sh\nprintf '%s' \"$2\" > \"\(opener).url\"\n".utf8).write(to: URL(filePath: opener))
        chmod(opener, 0o700)
        let manifest = home.layout.manifest(LabHome.clientID)
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        try PrivateFile(path: manifest).write(Array((text + "opener: [\"\(opener)\", to, \"{url}\"]\n").utf8))
        try await always {
            let login = try await home.start(.client, ["login", "--via", "idp", "--timeout", "60s", "--json"])
            let url = try await eventually("the request is opened", within: .seconds(60)) {
                (try? String(contentsOfFile: opener + ".url", encoding: .utf8)).flatMap { $0.isEmpty ? nil : $0 }
            }
            #expect(url.hasPrefix("\(LabHome.idpID)://oauth2/v1.0/authrequest?command="))
            try await eventually("what to do is said", within: .seconds(60)) {
                let said = login.errors.joined(separator: "\n")
                return said.contains("handle -") && said.contains("waits for") ? true : nil
            }
            let file = try home.file("request.txt", url)
            let asked = try prompt.count(of: .consent)
            try await home.run(.idp, ["handle", "@\(file)", "--prompt", prompt.option]).expect(0)
            #expect(try await login.ended().expect(0).json()["account"]?["username"] != nil)
            // What came by an opener is asked about, consent or not.
            #expect(try prompt.count(of: .consent) == asked + 1)
            // `apps add` keeps the opener.
            try await home.idp("apps", "add", LabHome.clientID, "--name", "Client").expect(0)
            #expect(try String(contentsOfFile: manifest, encoding: .utf8).contains("opener:"))
        } afterwards: {
            try PrivateFile(path: manifest).write(Array(text.utf8))
        }
    }

    @Test(.rule("A198")) func `a login without an opener takes the address at which a browser elsewhere ended`()
        async throws
    {
        try await whileServing(.idp) {
            let ssh = ["SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22", "SSH_TTY": "/dev/pts/0"]
            let login = try await home.start(
                .client, ["login", "--via", "local", "--timeout", "60s"], environment: ssh)
            let said = try await eventually("the address is printed", within: .seconds(60)) {
                login.errors.contains { $0.hasPrefix("This login waits for ") } ? login.errors : nil
            }
            #expect(said.contains { $0.contains("countersign-client --home \(home.path) handle -") })
            let address = try #require(said.first { $0.contains("/authorize?") })
            let query = try FormFields(parsing: String(try #require(address.split(separator: "?").last)))
            let redirect = try #require(query.single("redirect_uri"))
            let state = try #require(query.single("state"))
            let issuer = try Home.open(at: home.path, isDefault: false).issuer
            let answer = FormFields([
                ("error", "access_denied"), ("state", state), ("iss", issuer),
            ]).encoded
            // Not the address that the login waits for.
            try await home.client("handle", "\(redirect)?nothing=here").expect(4, "return-refused")
            try await home.run(.client, ["handle", "-"], input: "\(redirect)?\(answer)\n").expect(0)
            await login.ended().expect(4, "access-denied")
            try await home.client("handle", "\(redirect)?\(answer)").expect(1, "no-login-waits")
        }
    }
}

/// Locks on files, as another process may hold them.
private struct HeldLocks {
    private let descriptors: [Int32]

    init(_ paths: [String]) throws {
        descriptors = paths.map { Glibc.open($0, O_RDONLY | O_CLOEXEC) }
        for descriptor in descriptors { #expect(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
    }

    func release() { for descriptor in descriptors { close(descriptor) } }
}

extension Trait where Self == LabHomeTrait {
    /// A home where alice and bob are signed in, and nobody serves.
    fileprivate static var handleHome: LabHomeTrait {
        .labHome(users: ["alice", "bob"]) { home in
            let serving = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            try await home.signIn("bob")
            try await home.client("login", "--via", "idp", "--user-hint", "alice").expect(0)
            try await home.client("login", "--via", "idp", "--user-hint", "bob").expect(0)
            await serving.stopped().expect(143)
        }
    }
}
