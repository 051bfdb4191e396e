import Basics
import Glibc
import IdentityBroker
import IdentityClient
import LinuxPlatform
import Platform
import Testing

/// Logouts with real processes, a real bus, and the provider over HTTP.
@Suite(.serialized) struct LogoutTests {
    private static let notes = "com.example.notes"

    /// A home with two apps that alice is logged in to; both serve.
    private func withTwoApps(
        allowing permission: String? = nil,
        _ body: (LabHome, _ idp: RunningProgram, _ client: RunningProgram, _ notes: RunningProgram) async throws -> Void
    ) async throws {
        try await withLabHome { home in
            let idp = try await home.serve(.idp, prompt: "script:allow,log-out")
            try await home.signIn("alice")
            try await home.idp(
                "apps", "add", Self.notes, "--exec", Program.client.path, "--scheme", Self.notes, "--name", "Notes"
            ).expect(0)
            if let permission {
                try await home.idp("apps", "add", LabHome.clientID, "--allow", permission).expect(0)
            }
            let client = try await home.serve(.client, prompt: "script:switch")
            let notes = try await home.start(.client, ["serve", "--json", "--app", Self.notes])
            _ = try await notes.ready()
            for app in [LabHome.clientID, Self.notes] {
                try await home.client("login", "--via", "idp", "--app", app).expect(0)
            }
            try await body(home, idp, client, notes)
        }
    }

    @Test func `of the device reaches both apps, and prints what is revoked and what is acknowledged`() async throws {
        try await withTwoApps { home, _, _, _ in
            let finished = try await home.idp("logout", "--scope", "device").expect(0)
            let rows = finished.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.contains(["APP", "REVOKED", "ACKNOWLEDGED"]))
            #expect(rows.contains([Self.notes, "yes", "yes"]))
            #expect(rows.contains([LabHome.clientID, "yes", "yes"]))
            #expect(try await home.accounts().isEmpty)
            #expect(try await home.accounts(.idp).isEmpty)
            try await home.client("token", "--app", Self.notes).expect(4, "no-current-account")
        }
    }

    @Test func `reaches an app that was stopped before its first token is used`() async throws {
        try await withTwoApps { home, _, _, notes in
            await notes.stopped().expect(143)
            let report = try await home.idp("logout", "--scope", "device", "--json").expect(0).json()
            let rows = try #require(report["apps"]?.arrayValue)
            #expect(rows.map { $0["revoked"] } == [true, true])
            #expect(rows.map { $0["app"]?.stringValue } == [Self.notes, LabHome.clientID])
            #expect(rows.map { $0["acknowledged"] } == [false, true])
            #expect(rows.first?["state"] == "absent")
            let calls = try home.log(Self.notes).count { $0["kind"] == "http" }
            try await home.client("token", "--app", Self.notes, "--bare").expect(row: 4, "logged-out")
            let later = try home.log(Self.notes).filter { $0["kind"] == "http" }.dropFirst(calls)
            #expect(later.allSatisfy { $0["message"]?.stringValue?.contains("/token") == false })
            try await home.client("token", "--app", Self.notes).expect(4, "no-current-account")
            let received = try home.log(LabHome.idpID).filter { $0["fields"]?["command"] == "logoutack" }
            #expect(received.count == 2)
        }
    }

    @Test func `of the device is had by an app that may ask, with the person's word`() async throws {
        try await withTwoApps(allowing: "logout-device") { home, _, _, _ in
            try await home.client("logout", "--scope", "everywhere", "--app", LabHome.clientID)
                .expect(4, "logout-not-permitted")
            try await home.client("logout", "--scope", "device", "--app", Self.notes)
                .expect(row: 4, "logout-not-permitted")
            let shown = try await home.idp("apps", "show", LabHome.clientID, "--json").expect(0).json()
            #expect(shown["permissions"] == ["logout-device"])
            let result = try await home.client("logout", "--scope", "device", "--json").expect(0).json()
            #expect(result["scope"] == "device" && result["revoked"] == true)
            try await eventually("the other app is told") {
                try await home.run(.client, ["accounts", "--json", "--app", Self.notes]).expect(0)
                    .json()["accounts"]?.arrayValue?.isEmpty == true ? true : nil
            }
            try await home.client("login", "--via", "idp", "--app", Self.notes, "--timeout", "5s").expect(4)
        }
    }

    @Test func `without a provider changes nothing, and forced it is made up for when there is one`() async throws {
        try await withTwoApps { home, idp, _, _ in
            await idp.stopped().expect(143)
            try await home.idp("logout", "--scope", "device").expect(row: 5, "http-unreachable")
            #expect(try await home.accounts(.idp).count == 1)
            let report = try await home.idp("logout", "--scope", "device", "--force", "--json").expect(0).json()
            #expect(report["revoked"] == false)
            #expect(report["apps"]?.arrayValue?.map { $0["acknowledged"] } == [false, false])
            #expect(try await home.accounts(.idp).isEmpty)
            #expect(try await home.accounts().count == 1)
            _ = try await home.serve(.idp, prompt: "script:allow")
            for app in [LabHome.clientID, Self.notes] { try await requireEmpty(home, app) }
            try await home.client("token", "--app", Self.notes).expect(4, "no-current-account")
        }
    }

    private func requireEmpty(_ home: LabHome, _ app: String) async throws {
        try await eventually("\(app) is logged out") {
            try await home.run(.client, ["accounts", "--json", "--app", app]).expect(0).json()["accounts"]?.arrayValue?
                .isEmpty == true ? true : nil
        }
    }

    @Test(arguments: Boundary.brokerLogout.map(\.rawValue))
    func `that a kill cuts off at the identity provider app is carried through by its next process`(
        _ boundary: String
    ) async throws {
        try await withLabHome { home in
            let doom = [DeathSwitch.variable: boundary]
            let doomed = try await home.serve(.idp, prompt: "script:allow", environment: doom)
            try await home.signIn("alice")
            _ = try await home.serve(.client, prompt: "script:switch")
            try await home.client("login", "--via", "idp").expect(0)
            let logout = try await home.run(
                .idp, ["logout", "--scope", "device", "--timeout", "5s"], environment: doom)
            // The command asks the provider; the process that owns the name tells the apps.
            let isCommand = [Boundary.brokerLogoutStored, .brokerLogoutRevoked].map(\.rawValue).contains(boundary)
            let died = isCommand ? logout : await doomed.ended()
            #expect(died.exit == .signalled(SIGKILL), "\(died)")
            await doomed.stopped()
            _ = try await home.serve(.idp, prompt: "script:allow")
            try await requireEmpty(home, LabHome.clientID)
            #expect(try await home.accounts(.idp).isEmpty)
            try await home.client("token").expect(4, "no-current-account")
        }
    }

    @Test(arguments: Boundary.clientLogout.map(\.rawValue))
    func `that a kill cuts off at the client leaves nothing half done`(_ boundary: String) async throws {
        try await withLabHome { home in
            let doom = [DeathSwitch.variable: boundary]
            _ = try await home.serve(.idp, prompt: "script:allow,log-out")
            try await home.signIn("alice")
            try await home.client("login", "--via", "idp").expect(0)
            try await home.idp("apps", "add", LabHome.clientID, "--allow", "logout-device").expect(0)
            if boundary == Boundary.clientLogoutStored.rawValue {
                let asking = try await home.run(.client, ["logout", "--scope", "device"], environment: doom)
                #expect(asking.exit == .signalled(SIGKILL), "\(asking)")
                #expect(try await home.accounts().count == 1)
                try await home.client("logout", "--scope", "device").expect(0)
            } else {
                let told = try await home.serve(.client, prompt: "script:switch", environment: doom)
                try await home.idp("logout", "--scope", "device", "--timeout", "2s").expect(0)
                #expect(await told.ended().exit == .signalled(SIGKILL))
            }
            #expect(try await home.accounts().isEmpty)
            #expect(try await home.accounts(.idp).isEmpty)
            try await home.client("token").expect(4, "no-current-account")
        }
    }

    @Test func `that a client asks for is the person's to refuse`() async throws {
        try await withLabHome { home in
            _ = try await home.serve(.idp, prompt: "script:allow,keep")
            try await home.signIn("alice")
            try await home.client("login", "--via", "idp").expect(0)
            try await home.idp("apps", "add", LabHome.clientID, "--allow", "logout-device").expect(0)
            try await home.client("logout", "--scope", "device").expect(row: 4, "access-denied")
            try await home.client("token").expect(0)
        }
    }
}
