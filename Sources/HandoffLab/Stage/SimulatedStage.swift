import Basics
import FoundationEssentials
import Handoff
import IdentityBroker
import IdentityClient
package import Platform

/// The stage in a simulation: a world for each device of the cast, each app one process of it.
package actor SimulatedStage: Stage {
    package nonisolated let kind = StageKind.simulated
    package nonisolated let cast: Cast
    package nonisolated let environment: Environment
    /// What each member comes to.
    package nonisolated let watches: [String: BoundaryWatch]
    nonisolated let people: [String: SeatedPerson]

    var worlds: [String: LabWorld] = [:]
    var brokers: [String: LabProcess<HandoffBroker>] = [:]
    var clients: [String: LabProcess<HandoffClient>] = [:]
    /// What the last logout came to, by the identity provider app that carried it out.
    var logoutRows: [String: [LogoutRow]] = [:]
    nonisolated let captured = CapturedCommands()
    private var away: Set<String> = []
    /// The death that is armed or under way: whose, and the task that carries it out.
    private var death: (name: String, deathbed: Deathbed, work: Task<Void, any Error>)?

    /// Makes a stage in the environment of a `Simulation`.
    package init(_ cast: Cast, environment: Environment) {
        self.cast = cast
        self.environment = environment
        watches = Dictionary(uniqueKeysWithValues: cast.members.map { ($0.name, BoundaryWatch()) })
        people = Dictionary(
            uniqueKeysWithValues: cast.members.map { member in
                let user = member.users?.first ?? cast.identityProvider(of: member.name)?.users?.first ?? ""
                return (member.name, SeatedPerson(Person(user), password: Self.password))
            })
    }

    /// The password of a user: the worlds are in memory, and end with the run.
    @Sendable static func password(of user: String) -> Secret<String> { Secret("\(user)-secret") }

    // MARK: - Beginning and end

    package func begin() async throws {
        for (number, device) in cast.devices.enumerated() {
            let world = try await LabWorld(try plan(for: device, number), environment: environment)
            worlds[device] = world
            world.bus.monitor { [captured] in captured.note($0, on: device) }
            for member in cast.members(on: device) { try await start(member) }
        }
    }

    package func end() async {
        death?.work.cancel()
        for name in clients.keys.sorted() { await clients[name]?.stop() }
        for name in brokers.keys.sorted() { await brokers[name]?.stop() }
        for device in worlds.keys.sorted() { await worlds[device]?.stop() }
    }

    private func plan(for device: String, _ number: Int) throws -> WorldPlan {
        let members = cast.members(on: device)
        guard let provider = members.first(where: { $0.users != nil }), let watch = watches[provider.name] else {
            throw Fault(.unknownActor, "The device \(device) has no identity provider app.")
        }
        return WorldPlan(
            port: 8_123 + number,
            users: (provider.users ?? []).map { name in
                WorldPlan.User(
                    name, password: Self.password(of: name),
                    claims: ["name": .string(name.capitalized), "email": .string("\(name)@example.com")])
            },
            apps: members.compactMap(\.description), providerBoundary: watch.hook)
    }

    // MARK: - Processes

    private func start(_ member: Cast.Member) async throws {
        let world = try world(of: member.name)
        guard let person = people[member.name], let watch = watches[member.name] else { return }
        let adjust: LabWorld.Adjustment = { $0.boundary = watch.hook }
        if member.isClient {
            clients[member.name] = try await world.runClient(member.appID, dialogue: person, adjust)
        } else {
            world.provider.start()
            brokers[member.name] = try await world.runBroker(dialogue: person, adjust)
        }
    }

    /// Kills a member's process; the identity provider app takes its provider along, which is the same process.
    private func kill(_ name: String) async throws {
        if let client = clients[name] { return await client.kill() }
        await brokers[name]?.kill()
        try await world(of: name).provider.kill()
    }

    private func endProcess(_ name: String) async throws {
        if let client = clients[name] { return await client.stop() }
        await brokers[name]?.stop()
        try await world(of: name).provider.kill()
    }

    package func restart(_ name: String) async throws {
        if try !isAway(name) { try await endProcess(name) }
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

    package func arm(_ death: Death) async throws {
        try requirePresent(death.name)
        guard let watch = watches[death.name] else { return }
        let deathbed = watch.arm(death.boundary)
        let work = environment.spawn("death of \(death.name)") { [self] in
            try await deathbed.reached.value()
            try await kill(death.name)
            try await environment.sleep(for: death.restartAfter)
            try await start(try member(death.name))
        }
        self.death = (death.name, deathbed, work)
    }

    package func disarm(within patience: Duration) async throws -> Bool {
        guard let (name, deathbed, work) = death else { return false }
        _ = try? await environment.withDeadline(patience, orThrow: Fault(.deadlinePassed)) {
            try await deathbed.reached.value()
        }
        death = nil
        watches[name]?.disarm()
        guard deathbed.reached.outcome != nil else {
            work.cancel()
            return false
        }
        try await work.value
        return true
    }

    // MARK: - Finding

    /// Refuses what an app that is away is asked to do.
    func requirePresent(_ name: String) throws {
        if try isAway(name) { throw Fault(.actorAway, "\(name) was stopped.") }
    }

    func world(of name: String) throws -> LabWorld {
        guard let world = worlds[try member(name).device] else { throw Fault(.unknownActor) }
        return world
    }

    func client(_ name: String) throws -> LabProcess<HandoffClient> {
        guard let client = clients[name] else { throw Fault(.unknownActor, "\(name) is no client.") }
        return client
    }

    func broker(_ name: String) throws -> LabProcess<HandoffBroker> {
        guard let broker = brokers[name] else { throw Fault(.unknownActor, "\(name) is no identity provider app.") }
        return broker
    }
}
