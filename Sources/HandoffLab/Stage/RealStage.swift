package import Basics
import FoundationEssentials
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
    private var buses: [String: DeviceBus] = [:]
    private var loop: EventLoop?
    private var people: [String: RealPerson] = [:]
    private var ownPasswords: [String: Secret<String>] = [:]
    private var away: Set<String> = []
    /// The process of each app that serves.
    var serving: [String: any RunningChild] = [:]
    /// The death that is armed or under way.
    var death: ArmedDeath?
    /// What the last logout came to, by the identity provider app that carried it out.
    var logoutRows: [String: [LogoutRow]] = [:]
    nonisolated let captured = CapturedCommands()

    package init(_ cast: Cast, programs: DevicePrograms, environment: Environment) {
        self.cast = cast
        self.programs = programs
        self.environment = environment
        root = FileManager.default.temporaryDirectory.path + "/countersign-stage-\(environment.uuid().prefix(8))"
    }

    // MARK: - Beginning and end

    package func begin() async throws {
        _ = try PrivateDirectory(creating: root)
        let loop = try EventLoop.start(name: "stage")
        self.loop = loop
        for device in cast.devices {
            let runner = DeviceRunner(home: "\(root)/\(device)", programs: programs, environment: environment)
            runners[device] = runner
            for member in cast.members(on: device) { try await install(member, runner) }
            buses[device] = try await DeviceBus.join(
                home: runner.home, keeper: [programs.idp], variables: ProcessInfo.processInfo.environment, loop: loop
            ) { [captured] in captured.note($0, on: device) }
            for member in cast.members(on: device) { try await start(member) }
        }
    }

    package func end() async {
        death?.work?.cancel()
        for device in cast.devices.reversed() {
            await runners[device]?.stopAll()
            await buses[device]?.leave()
        }
        loop?.stop()
        try? FileManager.default.removeItem(atPath: root)
    }

    private func install(_ member: Cast.Member, _ runner: DeviceRunner) async throws {
        let user = member.users?.first ?? cast.identityProvider(of: member.name)?.users?.first ?? ""
        for name in member.users ?? [] {
            // One person has one password, on however many devices.
            let password = ownPasswords[name] ?? Secret(environment.uuid())
            ownPasswords[name] = password
            try await runner.idp(
                [
                    "users", "add", name, "--full-name", name.capitalized, "--email", "\(name)@example.com",
                    "--password-file", "-", "--json",
                ], input: password)
        }
        let person = try RealPerson.make(in: "\(root)/people/\(member.name)", lab: programs.lab)
        people[member.name] = person
        try person.seat(Person(user), password: ownPasswords[user] ?? Secret(""))
        if let app = member.description { try await runner.idp(app.registration) }
    }

    // MARK: - Processes

    func start(_ member: Cast.Member, dyingAt boundary: Boundary? = nil) async throws {
        let runner = try runner(of: member.name)
        let arguments =
            (member.isClient ? ["--app", member.appID] : [])
            + ["serve", "--json", "--prompt", try person(at: member.name).prompt]
        serving[member.name] = try await runner.serve(
            member.isClient ? programs.client : programs.idp, arguments, variables: boundary?.deathVariables ?? [:]
        ).child
    }

    func endProcess(_ name: String) async throws {
        guard let child = serving.removeValue(forKey: name) else { return }
        await (try runner(of: name)).stop(child)
    }

    package func restart(_ name: String) async throws {
        try await endProcess(name)
        try await start(try member(name))
        away.remove(name)
    }

    package func stop(_ name: String) async throws {
        _ = try member(name)
        if away.insert(name).inserted { try await endProcess(name) }
    }

    package func start(_ name: String) async throws {
        guard try isAway(name) else { return }
        try await start(try member(name))
        away.remove(name)
    }

    package func isAway(_ name: String) throws -> Bool { away.contains(try member(name).name) }

    // MARK: - Finding

    /// Refuses what an app that is away is asked to do.
    func requirePresent(_ name: String) throws {
        if try isAway(name) { throw Fault(.actorAway, "\(name) was stopped.") }
    }

    func bus(of name: String) throws -> DeviceBus {
        guard let bus = buses[try member(name).device] else { throw Fault(.unknownActor) }
        return bus
    }

    func runner(of name: String) throws -> DeviceRunner {
        guard let runner = runners[try member(name).device] else { throw Fault(.unknownActor) }
        return runner
    }

    func home(of name: String) throws -> HomeLayout { HomeLayout(path: try runner(of: name).home) }

    func person(at name: String) throws -> RealPerson {
        guard let person = people[name] else { throw Fault(.unknownActor, "Nobody here is called \(name).") }
        return person
    }

    func password(of user: String) -> Secret<String> { ownPasswords[user] ?? Secret("") }

    package func passwords() -> [String: Secret<String>] { ownPasswords }

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

extension AppEnrolment.Description {
    /// The words that register the app in a home.
    fileprivate var registration: [String] {
        ["apps", "add", id.text, "--name", displayName, "--scheme", scheme, "--consent", consent.rawValue]
            + ["--switch", switchRule.rawValue, "--concurrency", concurrency.rawValue, "--delivery", delivery.rawValue]
            + hosts.flatMap { ["--host", $0] } + ["--json"]
    }
}
