import Basics
import Glibc
import LinuxPlatform
import Platform

extension RealStage {
    /// A death that waits for its process.
    struct ArmedDeath {
        var death: Death
        /// The process that is to die, where it serves.
        var doomed: (any RunningChild)?
        /// Whether it has died of it; the app has been started again then.
        var work: Task<Bool, any Error>?
    }

    /// The app's own process is started anew with the death in its environment. A client that logs in is that process
    /// itself, so it is started by `logIn`.
    package func arm(_ death: Death) async throws {
        let member = try member(death.name)
        try requirePresent(death.name)
        try await endProcess(death.name)
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
            if try !isAway(name) { try await restart(name) }
            return false
        }
        // One that never came to its boundary must not come to it any more.
        if let doomed = armed.doomed, isRunning(doomed) { try await endProcess(name) }
        if try await work.value { return true }
        if try !isAway(name) { try await start(try member(name)) }
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
    func runMortalIdentityProvider(_ name: String, _ arguments: [String]) async throws -> ProgramEnd {
        let death = deathOfCaller(name)
        let end = try await runIdentityProvider(name, arguments, dyingAt: death?.boundary)
        if let death, end.exit == .signalled(SIGKILL) {
            try await endProcess(name)
            try await environment.sleep(for: death.restartAfter)
            try await start(try member(name))
            self.death?.doomed = nil
            self.death?.work = environment.spawn("a death that is over") { true }
        }
        return end
    }
}

extension Boundary {
    /// What makes a program die here.
    var deathVariables: [String: String] { [DeathSwitch.variable: rawValue] }
}
