import Basics
import Platform
import TestSupport
import Testing

/// Logins that the identity provider app begins, and what others may send to the client's name on the bus.
@Suite(.serialized, .invitationHome) struct InvitationTests {
    let home: LabHome
    let prompt: PromptProgram

    init() throws {
        home = try #require(LabHomeTrait.current)
        prompt = try PromptProgram(
            in: home, "client-prompt", answers: [.switchConfirmation: #"{"choice":"switch"}"#])
    }

    /// Runs `body` while the client serves, with its bus.
    private func whileServing(_ body: (_ bus: String) async throws -> Void) async throws {
        let serving = try await home.serve(.client, prompt: prompt.option)
        try await always {
            try await body(try await home.bus(of: serving))
        } afterwards: {
            await serving.stopped().expect(143)
        }
    }

    private func openApp(_ arguments: String...) async throws -> JSONValue {
        try await home.run(.idp, ["open", LabHome.clientID, "--json"] + arguments).expect(0).json()
    }

    private func printedURL(for user: String) async throws -> String {
        try await home.idp("open", LabHome.clientID, "--user", user, "--print").expect(0).text
    }

    /// Has a user logged in, whatever was before.
    private func logIn(_ user: String) async throws {
        try await home.client("login", "--via", "idp", "--user-hint", user).expect(0)
    }

    @Test func `open logs in after the person agreed, and then only switches`() async throws {
        try await whileServing { _ in
            try await logIn("alice")
            let asked = try prompt.count(of: .switchConfirmation)
            #expect(try await openApp("--user", "bob")["outcome"] == "logged_in")
            #expect(try await home.currentUser() == "bob")
            #expect(try prompt.count(of: .switchConfirmation) == asked + 1)
            #expect(try await openApp("--user", "alice")["outcome"] == "switched")
            #expect(try await home.currentUser() == "alice")
            // Whom the app uses already needs no question.
            let again = try prompt.count(of: .switchConfirmation)
            #expect(try await openApp("--user", "alice")["outcome"] == "switched")
            #expect(try prompt.count(of: .switchConfirmation) == again)
        }
    }

    @Test func `the keychain variant hands the code over, and its verifier waits in the group`() async throws {
        try await whileServing { _ in
            try await home.client("logout", "--account", "bob").expect(0)
            #expect(try await openApp("--user", "bob", "--keychain")["outcome"] == "logged_in")
            #expect(try await home.currentUser() == "bob")
            let received = try home.log(LabHome.clientID).last { $0["fields"]?["command"] == "idpauthcodeinit" }
            #expect(received?["fields"]?["transport"] == "direct")
            #expect(try await openApp("--user", "alice", "--keychain")["outcome"] == "switched")
        }
    }

    @Test func `a person who keeps the account ends the invitation with 9, and nothing changes`() async throws {
        try await whileServing { _ in
            try await logIn("alice")
            try prompt.answer(.switchConfirmation, #"{"choice":"keep"}"#)
            let before = try await home.accounts()
            try await home.idp("open", LabHome.clientID, "--user", "bob").expect(9, "cancelled")
            #expect(try await home.accounts() == before)
            try prompt.answer(.switchConfirmation, #"{"choice":"switch"}"#)
            #expect(try await openApp("--user", "bob")["account"]?["username"] == "bob")
        }
    }

    @Test func `open says that the client is not running`() async throws {
        let absent = try await home.idp("open", LabHome.clientID, "--user", "bob").expect(5, "peer-not-running")
        // The app that is missing is named, not the one that asks.
        #expect(absent.nextStep?.contains("countersign-client --app \(LabHome.clientID) apps install") == true)
        try await home.idp("open", "com.example.nobody", "--user", "bob").expect(1, "unknown-app")
    }

    @Test(.enabled(if: Tool.gdbus.isInstalled, "gdbus is not installed"))
    func `a valid URL by an opener is asked about, handled, and logged as such`() async throws {
        try await whileServing { bus in
            try await logIn("alice")
            let url = try await printedURL(for: "bob")
            let asked = try prompt.count(of: .switchConfirmation)
            try await home.open(url, at: LabHome.clientID, on: bus)
            try await eventually("bob is current") { try await home.currentUser() == "bob" ? true : nil }
            #expect(try prompt.count(of: .switchConfirmation) == asked + 1)
            let received = try home.log(LabHome.clientID).last { $0["kind"] == "received" }
            #expect(received?["fields"]?["transport"] == "opener")
            #expect(received?["fields"]?["command"] == "idpinit")
        }
    }

    @Test(.rule("S1"), .enabled(if: Tool.gdbus.isInstalled, "gdbus is not installed"))
    func `a URL that is forged, tampered with or replayed is refused by its own rule and changes nothing`()
        async throws
    {
        try await whileServing { bus in
            try await logIn("alice")
            let forged = try await ForgedCommand(in: home)
            let taken = try await printedURL(for: "bob")
            try await home.open(taken, at: LabHome.clientID, on: bus)
            try await eventually("bob is current") { try await home.currentUser() == "bob" ? true : nil }
            try await logIn("alice")
            let valid = try await printedURL(for: "bob")
            let middle = valid.index(valid.startIndex, offsetBy: valid.count - 40)
            let changed = valid.replacingCharacters(at: middle, with: valid[middle] == "A" ? "B" : "A")
            let attempts: [(url: String, code: JSONValue)] = [
                ("\(LabHome.clientID)://oauth2/v1.0/idpinit?command=garbage", "command-malformed"),
                (try forged.unsignedAndBare(), "command-nesting"),
                (try forged.unsigned(), "command-signature"),
                (try forged.signedByStranger(claimingPinnedKey: false), "unknown-key"),
                (try forged.signedByStranger(claimingPinnedKey: true), "command-signature"),
                (changed, "undecryptable"),
                (taken, "command-replayed"),
            ]
            let before = try await home.accounts()
            let asked = try prompt.asked().count
            for attempt in attempts {
                let count = try home.log(LabHome.clientID).count
                try await home.open(attempt.url, at: LabHome.clientID, on: bus)
                let refusal = try await home.refusal(after: count)
                #expect(refusal["code"] == attempt.code, "\(refusal.serializedText)")
            }
            #expect(try await home.accounts() == before)
            #expect(try prompt.asked().count == asked)
            // The neighbour of all of them: the URL that was tampered with, as it was.
            try await home.open(valid, at: LabHome.clientID, on: bus)
            try await eventually("bob is current") { try await home.currentUser() == "bob" ? true : nil }
        }
    }

    @Test(.enabled(if: Tool.gdbus.isInstalled, "gdbus is not installed"))
    func `a client that takes direct delivery alone refuses what an opener brings, and takes it from the app itself`()
        async throws
    {
        try await home.idp("apps", "add", LabHome.clientID, "--delivery", "direct").expect(0)
        try await whileServing { bus in
            try await logIn("alice")
            let before = try await home.accounts()
            let count = try home.log(LabHome.clientID).count
            try await home.open(try await printedURL(for: "bob"), at: LabHome.clientID, on: bus)
            #expect(try await home.refusal(after: count)["code"] == "delivery-direct-only")
            #expect(try await home.accounts() == before)
            _ = try await openApp("--user", "bob")
            #expect(try await home.currentUser() == "bob")
        }
        try await home.idp("apps", "add", LabHome.clientID, "--delivery", "any").expect(0)
    }

    @Test(.enabled(if: Tool.gdbus.isInstalled, "gdbus is not installed"))
    func `a URL that is no command for the app has no effect`() async throws {
        try await whileServing { bus in
            let count = try home.log(LabHome.clientID).count
            try await home.open("https://example.com/", at: LabHome.clientID, on: bus)
            _ = try await eventually("a note in the log") {
                try home.log(LabHome.clientID).dropFirst(count).first { $0["kind"] == "note" }
            }
        }
    }

    @Test(.rule("A044", "A054")) func `handle takes a URL from a file as one that was opened`() async throws {
        try await logIn("alice")
        let file = try home.file("command.txt", try await printedURL(for: "bob"))
        try await home.client("handle", "@\(file)", "--prompt", prompt.option).expect(0)
        #expect(try await home.currentUser() == "bob")
        try await home.client("handle", "@\(file)", "--prompt", prompt.option).expect(4, "command-replayed")
        try await home.client("handle", "https://example.com/").expect(1, "not-for-this-app")
    }

    @Test(.enabled(if: Tool.busctl.isInstalled, "busctl is not installed"), arguments: [Program.idp, .client])
    func `busctl finds org.freedesktop.Application at each app`(_ program: Program) async throws {
        try await whileServing { bus in
            let app = program == .idp ? LabHome.idpID : LabHome.clientID
            let busctl = try await RunningProgram.start(
                try #require(Tool.busctl.path),
                ["--address=\(bus)", "--no-pager", "introspect", app, LabHome.objectPath(app)],
                environment: home.environment)
            let shown = await busctl.ended().expect(0).text
            for word in ["org.freedesktop.Application", ".Activate ", ".ActivateAction ", ".Open "] {
                #expect(shown.contains(word))
            }
        }
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with character: Character) -> String {
        String(self[..<index]) + String(character) + String(self[self.index(after: index)...])
    }
}

extension Trait where Self == LabHomeTrait {
    fileprivate static var invitationHome: Self {
        .labHome(users: ["alice", "bob"]) { home in
            _ = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            try await home.signIn("bob")
        }
    }
}
