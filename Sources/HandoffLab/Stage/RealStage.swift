import Basics
import FoundationEssentials
import Glibc
import Handoff
import IdentityBroker
import LinuxPlatform
package import Platform

/// The stage with everything real: for each device of the cast a home in a temporary folder, a private bus, and the
/// product's programs as processes of their own.
package actor RealStage: Stage {
    package nonisolated let kind = StageKind.real
    package nonisolated let cast: Cast
    package nonisolated let environment: Environment

    private let programs: DevicePrograms
    private let root: String
    private var runners: [String: DeviceRunner] = [:]
    private var people: [String: RealPerson] = [:]
    private var serving: [String: any RunningChild] = [:]
    private var passwords: [String: Secret<String>] = [:]
    private var death: ArmedDeath?

    /// A death that waits for its process.
    private struct ArmedDeath {
        var death: Death
        /// The process that is to die, where it serves.
        var doomed: (any RunningChild)?
        /// Whether it has died of it; the app has been started again then.
        var work: Task<Bool, any Error>?
    }

    package init(_ cast: Cast, programs: DevicePrograms, environment: Environment) {
        self.cast = cast
        self.programs = programs
        self.environment = environment
        root = FileManager.default.temporaryDirectory.path + "/countersign-stage-\(environment.uuid().prefix(8))"
    }

    // MARK: - Beginning and end

    package func begin() async throws {
        _ = try PrivateDirectory(creating: root)
        for device in cast.devices {
            let runner = DeviceRunner(home: "\(root)/\(device)", programs: programs, environment: environment)
            runners[device] = runner
            for member in cast.members(on: device) { try await install(member, runner) }
            for member in cast.members(on: device) { try await start(member) }
        }
    }

    package func end() async {
        death?.work?.cancel()
        for device in cast.devices.reversed() { await runners[device]?.stopAll() }
        try? FileManager.default.removeItem(atPath: root)
    }

    private func install(_ member: Cast.Member, _ runner: DeviceRunner) async throws {
        let user = member.users?.first ?? cast.identityProvider(of: member.name)?.users?.first ?? ""
        for name in member.users ?? [] {
            let password = Secret(environment.uuid())
            passwords[name] = password
            try await runner.idp(
                [
                    "users", "add", name, "--full-name", name.capitalized, "--email", "\(name)@example.com",
                    "--password-file", "-", "--json",
                ], input: password)
        }
        let person = try RealPerson.make(in: "\(root)/people/\(member.name)", lab: programs.lab)
        people[member.name] = person
        try person.seat(Person(user), password: passwords[user] ?? Secret(""))
        if let app = member.description { try await runner.idp(app.registration) }
    }

    // MARK: - Processes

    private func start(_ member: Cast.Member, dyingAt boundary: Boundary? = nil) async throws {
        let runner = try runner(of: member.name)
        let arguments =
            (member.isClient ? ["--app", member.appID] : [])
            + ["serve", "--json", "--prompt", try person(at: member.name).prompt]
        serving[member.name] = try await runner.serve(
            member.isClient ? programs.client : programs.idp, arguments, variables: boundary?.deathVariables ?? [:]
        ).child
    }

    private func stop(_ name: String) async throws {
        guard let child = serving.removeValue(forKey: name) else { return }
        await (try runner(of: name)).stop(child)
    }

    package func restart(_ name: String) async throws {
        try await stop(name)
        try await start(try member(name))
    }

    /// The app's own process is started anew with the death in its environment. A client that logs in is that process
    /// itself, so it is started by `logIn`.
    package func arm(_ death: Death) async throws {
        let member = try member(death.name)
        try await stop(death.name)
        self.death = ArmedDeath(death: death)
        if !member.isClient { try await startDoomed(member) }
    }

    private func startDoomed(_ member: Cast.Member) async throws {
        guard let death = death?.death else { return }
        try await start(member, dyingAt: death.boundary)
        guard let child = serving[member.name] else { return }
        self.death?.doomed = child
        self.death?.work = environment.spawn("death of \(member.name)") { [self] in
            guard await child.exit() == .signalled(SIGKILL) else { return false }
            try await environment.sleep(for: death.restartAfter)
            try await start(member)
            return true
        }
    }

    package func disarm(within patience: Duration) async throws -> Bool {
        guard let armed = death else { return false }
        let name = armed.death.name
        let end = environment.now() + patience
        while let doomed = armed.doomed, isRunning(doomed), environment.now() < end {
            try await environment.sleep(for: .milliseconds(10))
        }
        death = nil
        guard let work = armed.work else {
            // Nobody came to be the doomed process.
            try await restart(name)
            return false
        }
        // One that never came to its boundary must not come to it any more.
        if let doomed = armed.doomed, isRunning(doomed) { try await stop(name) }
        if try await work.value { return true }
        try await start(try member(name))
        return false
    }

    private func isRunning(_ child: any RunningChild) -> Bool { kill(child.processID, 0) == 0 }

    /// The death that a client is to die as it asks for something.
    private func deathOfCaller(_ name: String) -> Death? {
        guard let death = death?.death, death.name == name else { return nil }
        return death
    }

    /// Notes that a client died of its death as it asked, and starts the app again.
    private func callerDied(_ name: String, of end: ChildExit) async throws {
        guard let death = deathOfCaller(name) else { return }
        let died = end == .signalled(SIGKILL)
        if died { try await environment.sleep(for: death.restartAfter) }
        try await start(try member(name))
        self.death?.work = environment.spawn("a death that is over") { died }
    }

    /// Starts a client that is to die while it serves, where that is armed.
    func startDoomedClient() async throws {
        guard let armed = death, armed.work == nil else { return }
        try await startDoomed(try member(armed.death.name))
    }

    /// Runs the client program as one of the clients; where that client is to die, in this process.
    func runMortalClient(_ name: String, _ arguments: [String]) async throws -> ActionEnd {
        let death = deathOfCaller(name)
        let end = try await runClient(name, arguments, dyingAt: death?.boundary)
        if death != nil { try await callerDied(name, of: end.exit) }
        return end.actionEnd
    }

    /// Runs the identity provider program beside the one that serves. Where the app is to die, the first of the two
    /// that comes to the boundary does.
    func runMortalIdentityProvider(_ name: String, _ arguments: [String]) async throws -> ActionEnd {
        let death = deathOfCaller(name)
        let end = try await runIdentityProvider(name, arguments, dyingAt: death?.boundary)
        if let death, end.exit == .signalled(SIGKILL) {
            try await stop(name)
            try await environment.sleep(for: death.restartAfter)
            try await start(try member(name))
            self.death?.doomed = nil
            self.death?.work = environment.spawn("a death that is over") { true }
        }
        return end.actionEnd
    }

    // MARK: - Finding

    func runner(of name: String) throws -> DeviceRunner {
        guard let runner = runners[try member(name).device] else { throw Fault(.unknownActor) }
        return runner
    }

    func home(of name: String) throws -> HomeLayout { HomeLayout(path: try runner(of: name).home) }

    func person(at name: String) throws -> RealPerson {
        guard let person = people[name] else { throw Fault(.unknownActor, "Nobody here is called \(name).") }
        return person
    }

    func password(of user: String) -> Secret<String> { passwords[user] ?? Secret("") }

    /// Every password that was made for this stage.
    var allPasswords: [String: Secret<String>] { passwords }

    /// The home of a device.
    func home(ofDevice device: String) throws -> HomeLayout {
        guard let runner = runners[device] else { throw Fault(.unknownActor, "There is no device \(device).") }
        return HomeLayout(path: runner.home)
    }

    /// Runs the client program as one of the clients.
    func runClient(
        _ name: String, _ arguments: [String], dyingAt boundary: Boundary? = nil
    ) async throws -> ProgramEnd {
        let member = try member(name)
        guard member.isClient else { throw Fault(.unknownActor, "\(name) is no client.") }
        return try await runner(of: name).finish(
            programs.client,
            ["--app", member.appID, "--prompt", try person(at: name).prompt, "--json"] + arguments,
            variables: boundary?.deathVariables ?? [:])
    }

    /// Runs the identity provider program beside the one that serves.
    func runIdentityProvider(
        _ name: String, _ arguments: [String], input: Secret<String>? = nil, dyingAt boundary: Boundary? = nil
    ) async throws -> ProgramEnd {
        guard !(try member(name).isClient) else { throw Fault(.unknownActor, "\(name) is no identity provider app.") }
        return try await runner(of: name).finish(
            programs.idp, ["--prompt", try person(at: name).prompt, "--json"] + arguments, input: input,
            variables: boundary?.deathVariables ?? [:])
    }
}

extension Boundary {
    /// What makes a program die here.
    fileprivate var deathVariables: [String: String] { [DeathSwitch.variable: rawValue] }
}

extension AppEnrolment.Description {
    /// The words that register the app in a home.
    fileprivate var registration: [String] {
        ["apps", "add", id.text, "--name", displayName, "--scheme", scheme, "--consent", consent.rawValue]
            + ["--switch", switchRule.rawValue, "--concurrency", concurrency.rawValue, "--delivery", delivery.rawValue]
            + hosts.flatMap { ["--host", $0] } + ["--json"]
    }
}
