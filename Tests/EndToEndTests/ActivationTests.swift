import Basics
import LinuxPlatform
import Platform
import Testing

/// Apps that the bus of a home starts, with real programs: no app runs when a command is sent to it.
@Suite(.serialized, .activationHome) struct ActivationTests {
    let home: LabHome

    init() throws { home = try #require(LabHomeTrait.current) }

    /// Has the home's bus start one of our programs, which stays for a short while.
    private func install(_ program: Program, idle: String = "2s") throws {
        let id = program == .idp ? LabHome.idpID : LabHome.clientID
        try BusService.install(id, start: [program.path, "activated", "--idle", idle], home: home.path)
    }

    private func uninstall(_ program: Program) throws {
        try BusService.remove(program == .idp ? LabHome.idpID : LabHome.clientID, home: home.path)
    }

    /// How often the bus has started an app, and how often such a process has ended by itself.
    private func lives(_ app: String) throws -> (started: Int, ended: Int) {
        let log = try home.log(app)
        return (
            log.count { $0["message"] == "started by the bus" },
            log.count { $0["message"] == "ended: nothing was left to do" }
        )
    }

    /// Waits until every process of an app that the bus has started has ended by itself.
    private func hasEnded(_ app: String) async throws {
        try await eventually("\(app) ends", within: .seconds(120)) {
            let lives = try self.lives(app)
            return lives.started == lives.ended ? true : nil
        }
    }

    @Test func `without a service file a login says at once that nothing can start the identity provider app`()
        async throws
    {
        let ended = try await home.client("login", "--via", "idp").expect(row: 5, "peer-not-running")
        #expect(ended.errors.first?.contains("is not running on this bus, and not installed for activation.") == true)
    }

    @Test func `a login starts the identity provider app, which ends by itself`() async throws {
        let before = try lives(LabHome.idpID).started
        try install(.idp)
        try await always {
            let account = try await home.client("login", "--via", "idp", "--timeout", "60s", "--json").expect(0).json()[
                "account"]
            #expect(account?["username"] == "alice")
            #expect(try lives(LabHome.idpID).started == before + 1)
            try await hasEnded(LabHome.idpID)
        } afterwards: {
            try uninstall(.idp)
        }
    }

    @Test func `serve takes the place of an app that the bus has started`() async throws {
        try install(.idp, idle: "60s")
        try await always {
            try await home.client("login", "--via", "idp", "--timeout", "60s").expect(0)
            let serving = try await home.start(.idp, ["serve", "--json", "--no-input"])
            _ = try await serving.ready()
            try await hasEnded(LabHome.idpID)
            try await home.client("login", "--via", "idp").expect(0)
            // One that a person has started stays.
            try await home.run(.idp, ["serve", "--no-input"]).expect(5, "port-taken")
            await serving.stopped().expect(143)
        } afterwards: {
            try uninstall(.idp)
        }
    }

    @Test func `an invitation starts the client, and client serve takes its place`() async throws {
        let serving = try await home.start(.idp, ["serve", "--json", "--no-input"])
        _ = try await serving.ready()
        try await home.idp("open", LabHome.clientID).expect(5, "peer-not-running")
        try install(.client, idle: "60s")
        try await always {
            // The account is current there already, so nobody is asked.
            let opened = try await home.idp("open", LabHome.clientID, "--timeout", "60s", "--json").expect(0).json()
            #expect(opened["outcome"] == "switched")
            let client = try await home.start(.client, ["serve", "--json"])
            _ = try await client.ready()
            try await hasEnded(LabHome.clientID)
            try await home.run(.client, ["serve"]).expect(5, "bus-name-taken")
            await client.stopped().expect(143)
        } afterwards: {
            try uninstall(.client)
            await serving.stopped().expect(143)
        }
    }

    @Test func `an app that cannot be started is said to be so, and its log says why`() async throws {
        let holder = try PortHolder(home.port())
        try install(.idp)
        try await always {
            let ended = try await home.client("login", "--via", "idp").expect(row: 5, "peer-not-started")
            #expect(ended.nextStep?.contains("countersign-idp serve") == true)
            #expect(try home.log(LabHome.idpID).last { $0["code"] == "port-taken" } != nil)
        } afterwards: {
            holder.release()
            try uninstall(.idp)
        }
    }
}

extension Trait where Self == LabHomeTrait {
    /// A home where alice is signed in, and the client may use her account.
    fileprivate static var activationHome: LabHomeTrait {
        .labHome { home in
            let prompt = try PromptProgram(in: home, answers: [.consent: #"{"choice":"allow"}"#])
            let serving = try await home.serve(.idp, prompt: prompt.option)
            try await home.signIn("alice")
            try await home.client("login", "--via", "idp").expect(0)
            await serving.stopped().expect(143)
        }
    }
}

extension LabHome {
    /// The port of the home's issuer.
    func port() throws -> UInt16 { try Home.open(at: path, isDefault: false).port }
}
