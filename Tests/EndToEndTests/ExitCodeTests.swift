import Basics
import FoundationEssentials
import Glibc
import LinuxPlatform
import Platform
import TestSupport
import Testing

/// The rows of docs/outcomes.md, each run: the exit code, its name and the next step are printed as they stand there, and
/// the next login works.
@Suite(.serialized, .exitCodeHome) struct ExitCodeTests {
    let home: LabHome
    let prompt: PromptProgram

    init() throws {
        home = try #require(LabHomeTrait.current)
        prompt = try PromptProgram(in: home)
    }

    /// Runs `body` while the identity provider app serves; then the next login works.
    private func whileServing(_ body: (RunningProgram) async throws -> Void) async throws {
        let serving = try await home.serve(.idp, prompt: prompt.option)
        try await always {
            try await body(serving)
            try await home.client("login", "--via", "idp").expect(0)
        } afterwards: {
            await serving.stopped().expect(143)
        }
    }

    /// Has every login asked about, with no answer, while `body` runs.
    private func withoutAnswer(_ body: () async throws -> Void) async throws {
        try await withConsent("always") {
            try prompt.setSilent(true)
            try await always(body) { try prompt.setSilent(false) }
        }
    }

    /// Has the client registered with another rule of consent while `body` runs.
    private func withConsent(_ rule: String, _ body: () async throws -> Void) async throws {
        try await home.idp("apps", "add", LabHome.clientID, "--consent", rule).expect(0)
        try await always(body) {
            try await home.idp("apps", "add", LabHome.clientID, "--consent", "first-use").expect(0)
        }
    }

    /// Has consent answered otherwise, each time it is asked for, while `body` runs.
    private func answering(_ answer: String, _ body: () async throws -> Void) async throws {
        try await withConsent("always") {
            try prompt.answer(.consent, answer)
            try await always(body) { try prompt.answer(.consent, #"{"choice":"allow"}"#) }
        }
    }

    @Test(.rule("A078")) func `an identity provider app that does not run is 5`() async throws {
        let ended = try await home.client("login", "--via", "idp").expect(row: 5, "peer-not-running")
        #expect(ended.nextStep?.contains("countersign-idp serve") == true)
        try await whileServing { _ in }
    }

    @Test func `an identity provider app that leaves before it answers is 5, and it can be started again`() async throws
    {
        try await withoutAnswer {
            let serving = try await home.serve(.idp, prompt: prompt.option)
            let asked = try prompt.asked().count
            let login = try await home.start(.client, ["login", "--via", "idp"])
            _ = try? await eventually("a question") { try prompt.asked().count > asked ? true : nil }
            await serving.stopped().expect(143)
            await login.ended().expect(row: 5, "peer-left")
        }
        try await whileServing { _ in }
    }

    @Test(.rule("A073", "A077")) func `nobody who answers within --timeout is 8`() async throws {
        try await whileServing { _ in
            try await withoutAnswer {
                let start = ContinuousClock.now
                try await home.client("login", "--via", "idp", "--timeout", "1s").expect(row: 8, "deadline-passed")
                #expect(ContinuousClock.now - start > .seconds(1))
            }
        }
    }

    @Test func `an identity provider app without anybody to ask is 4`() async throws {
        let serving = try await home.start(.idp, ["serve", "--json", "--no-input"])
        try await always {
            _ = try await serving.ready()
            try await withConsent("always") {
                try await home.client("login", "--via", "idp").expect(4, "interaction-required")
            }
            try await home.client("login", "--via", "idp").expect(0)
        } afterwards: {
            await serving.stopped().expect(143)
        }
    }

    @Test(.rule("A063", "A064"))
    func `a question that the client cannot ask is 4, and one that is cancelled there is 9`() async throws {
        try await whileServing { _ in
            try await home.client("login").expect(4, "interaction-required")
            try await home.client("login", "--prompt", "script:cancel").expect(row: 9, "cancelled")
            try await home.client("login", "--prompt", "script:idp").expect(0)
        }
    }

    @Test(.rule("A065")) func `a login that is cancelled at the identity provider app is 9, at once`() async throws {
        try await whileServing { _ in
            try await answering(#"{"cancel":true}"#) {
                // Long before its time, which would be told as another code.
                try await home.client("login", "--via", "idp", "--timeout", "5m").expect(row: 9, "cancelled")
            }
        }
    }

    @Test func `a login that the person does not allow is 4`() async throws {
        try await whileServing { _ in
            try await answering(#"{"choice":"deny"}"#) {
                try await home.client("login", "--via", "idp").expect(row: 4, "access-denied")
            }
        }
    }

    @Test func `a wrong password in a file is 4, for a user and for nobody alike`() async throws {
        try await whileServing { _ in
            let wrong = try home.file("wrong", "not the password\n")
            let known = try await home.idp("login", "--user", "alice", "--password-file", wrong)
            known.expect(row: 4, "wrong-password")
            let unknown = try await home.idp("login", "--user", "nobody", "--password-file", wrong)
            unknown.expect(row: 4, "wrong-password")
            // Each is a flow of its own; nothing else differs.
            func words(_ ended: Finished) -> [String] { ended.errors.filter { !$0.hasPrefix("flow: ") } }
            #expect(words(known) == words(unknown))
            try await home.signIn("alice")
        }
    }

    @Test func `five wrong passwords in a row are 4`() async throws {
        try await whileServing { _ in
            try prompt.answer(
                .signIn, #"{"choice":"sign-in","fields":{"username":"bob","password":"not the password"}}"#)
            let before = try prompt.count(of: .signIn)
            let ended = try await home.idp("login", "--user", "bob", "--prompt", prompt.option)
            ended.expect(row: 4, "access-denied")
            #expect(try prompt.count(of: .signIn) == before + 5)
            let problems = try prompt.asked().filter { $0["kind"] == "sign-in" }.suffix(4)
            #expect(problems.allSatisfy { $0["problem"] != nil })
            try await home.signIn("alice")
        }
    }

    @Test func `another issuer than the pinned one is 4, with both and the place where they differ`() async throws {
        let manifest = home.layout.manifest(LabHome.clientID)
        let text = try String(contentsOfFile: manifest, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.contains("issuer:") })
        let value = try #require(line.split(separator: " ").last)
        let issuer = String(value.filter { $0 != "\"" })
        let pinned = issuer.dropLast() + (issuer.hasSuffix("1") ? "2" : "1")
        try await whileServing { _ in
            try home.write(text.replacing(line, with: "    issuer: \"\(pinned)\""), to: manifest)
            try await always {
                let ended = try await home.client("login", "--via", "idp").expect(row: 4, "answer-issuer-mismatch")
                let said = ended.errors.joined(separator: "\n")
                #expect(said.contains("\(issuer),") && said.contains("\(pinned) is pinned"))
                #expect(said.contains("character \(issuer.count)"))
            } afterwards: {
                try home.write(text, to: manifest)
            }
        }
    }

    @Test(.rule("A060")) func `a login whose place a newer one takes is 9, and the newer one works`() async throws {
        try await whileServing { _ in
            try await withConsent("always") {
                try prompt.setSilent(true)
                let asked = try prompt.asked().count
                let older = try await home.start(.client, ["login", "--via", "idp", "--timeout", "110s"])
                _ = try? await eventually("a question") { try prompt.asked().count > asked ? true : nil }
                try prompt.setSilent(false)
                let newer = try await home.client("login", "--via", "idp", "--restart", "--timeout", "110s")
                newer.expect(0)
                await older.ended().expect(row: 9, "login-superseded")
            }
        }
    }

    @Test(.rule("A042")) func `a port that another program has is 5, and that program is named`() async throws {
        let port = try #require(try await home.port())
        let holder = try PortHolder(port)
        let ended = try await home.idp("serve", "--no-input").expect(row: 5, "port-taken")
        #expect(ended.errors.contains { $0.contains("\(port)") && $0.contains("process \(getpid())") })
        holder.release()
        try await whileServing { _ in }
    }

    @Test(.rule("T67")) func `a store that is damaged is 5 and is left as it is`() async throws {
        let store = home.layout.records(of: LabHome.clientID)
        let whole = try Data(contentsOf: URL(filePath: store))
        let damaged = Data("This is no database, and it must stay as it is.".utf8)
        try await whileServing { _ in
            try damaged.write(to: URL(filePath: store))
            try await always {
                try await home.client("login", "--via", "idp").expect(row: 5, "store-unreadable")
                #expect(try Data(contentsOf: URL(filePath: store)) == damaged)
            } afterwards: {
                try whole.write(to: URL(filePath: store))
            }
        }
    }

    @Test(.rule("A190")) func `a bus that is not there is 5, and so is another one than the home's`() async throws {
        try await home.client("login", "--via", "idp", "--bus", "unix:path=/nonexistent").expect(
            row: 5, "bus-unavailable")
        try await home.idp("serve", "--bus", "unix:path=/nonexistent").expect(row: 5, "bus-unavailable")
        try await whileServing { _ in
            let ended = try await home.client("login", "--via", "idp", "--bus", "unix:path=/nonexistent")
            ended.expect(5, "bus-mismatch")
        }
    }

    @Test(.rule("A074"), arguments: zip([SIGINT, SIGTERM], [130, 143] as [Int32]))
    func `a signal to a waiting login ends it with its own code, and the peer is told`(
        _ signal: Int32, _ code: Int32
    ) async throws {
        try await whileServing { _ in
            try await withoutAnswer {
                let asked = try prompt.asked().count
                let login = try await home.start(.client, ["login", "--via", "idp"])
                try await eventually("a question") { try prompt.asked().count > asked ? true : nil }
                login.signal(signal)
                await login.ended().expect(row: code, "cancelled")
                try await eventually("the cancel in the identity provider app's log") {
                    try home.log(LabHome.idpID).last { $0["fields"]?["command"] == "cancel" }
                }
            }
        }
    }

    @Test(arguments: zip([SIGINT, SIGTERM], [130, 143] as [Int32]))
    func `a signal to serve drains it and ends it with its own code`(_ signal: Int32, _ code: Int32) async throws {
        let idp = try await home.serve(.idp, prompt: prompt.option)
        let client = try await home.serve(.client, prompt: "script:switch")
        for serving in [client, idp] {
            let ended = await serving.stopped(by: signal).expect(code)
            #expect(ended.errors.isEmpty, "\(ended)")
        }
        try await whileServing { _ in }
    }
}

extension LabHome {
    /// The provider's port, as `home.yaml` has it.
    func port() async throws -> UInt16? {
        try String(contentsOfFile: layout.description, encoding: .utf8).split(separator: "\n")
            .first { $0.hasPrefix("port:") }
            .flatMap { $0.split(separator: " ").last.flatMap { UInt16($0) } }
    }

    func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, 0o600)
    }
}

extension Trait where Self == LabHomeTrait {
    fileprivate static var exitCodeHome: Self {
        .labHome(users: ["alice", "bob"]) { home in
            let prompt = try PromptProgram(in: home, answers: [.consent: #"{"choice":"allow"}"#])
            let serving = try await home.serve(.idp, prompt: prompt.option)
            try await home.signIn("alice")
            await serving.stopped().expect(143)
        }
    }
}
