import Basics
import Platform

/// Kills a process at a boundary and says what became of it, on any stage.
package struct DeathTrial: Sendable {
    private let stage: any Stage
    private let newcomer = DeathScenario.newcomer
    private let resident = DeathScenario.resident

    /// How long a login may take that nobody is killed in.
    private static let patience: Duration = .seconds(30)

    package init(_ stage: any Stage) { self.stage = stage }

    /// Begins the stage: both users are signed in at the identity provider app, and one is logged in at the client.
    package func prepare() async throws {
        try await stage.begin()
        for user in [newcomer, resident] { try await require(stage.signIn(user, at: "idp"), "\(user)'s sign-in") }
        try await require(
            stage.logIn(LoginOrder("client", hint: resident, timeout: Self.patience)), "\(resident)'s login")
        _ = try await stage.settle()
    }

    /// Plays the scenario of a point and kills the process that comes to its boundary.
    ///
    /// - Parameter timeout: the deadline of the login that is disturbed.
    package func run(_ point: DeathPoint, timeout: Duration) async throws -> DeathOutcome {
        guard let side = point.side else { return .broken(["no role lists \(point.boundary.rawValue)"]) }
        if try await holds(newcomer) { try await require(stage.logOut(newcomer, of: "client"), "a log-out") }
        let before = try await Look(stage)
        try await stage.arm(Death(of: side.memberName, at: point.boundary))
        let told = try await point.scenario.play(on: stage, timeout: timeout)
        guard try await stage.disarm(within: Self.patience) else {
            return .broken(["nobody came to \(point.boundary.rawValue)"])
        }
        var breaches = try await stage.settle()
        let end = try await Look(stage).end(since: before, told: told)
        breaches += try await contradictions(end, told)

        let again = try await point.scenario.play(on: stage, timeout: Self.patience)
        if !again.isDone { breaches.append("the next login failed: \(again)") }
        breaches += try await stage.settle()
        breaches += try await lostAccounts()
        breaches += try await Look(stage).ledger.since(before.ledger).breaches
        if !breaches.isEmpty { return .broken(breaches) }
        switch end {
        case .completed: return .completed
        case .failed(let code): return .failed(code: code)
        }
    }

    /// What does not fit together after the death: the flow's end, what the caller was told, and the accounts.
    private func contradictions(_ end: FlowState.End, _ told: ActionEnd) async throws -> [String] {
        var found: [String] = []
        let isThere = try await holds(newcomer)
        if isThere != (end == .completed) {
            found.append("the flow ended as \(end), and \(newcomer)'s account is \(isThere ? "" : "not ")there")
        }
        if told.isDone, end != .completed { found.append("the caller was told of a login, and the flow says \(end)") }
        return found
    }

    /// Accounts that are not there, stand twice, or that the provider does not know any more.
    private func lostAccounts() async throws -> [String] {
        var found: [String] = []
        let names = try await stage.accounts(of: "client").map(\.username)
        for user in [newcomer, resident] {
            let count = names.count { $0 == user }
            if count != 1 { found.append("\(user) has \(count) accounts") }
            let use = try await stage.useAccount(user, of: "client")
            if !use.isDone { found.append("\(user)'s account is of no use: \(use)") }
        }
        return found
    }

    private func holds(_ user: String) async throws -> Bool {
        try await stage.accounts(of: "client").contains { $0.username == user }
    }

    private func require(_ end: ActionEnd, _ what: String) throws {
        guard case .done = end else { throw Fault(.stageFailed, "\(what) failed before anybody died: \(end)") }
    }

    /// What both apps and the provider have on record at one moment.
    private struct Look {
        var client: [FlowState]
        var broker: [FlowState]
        var ledger: TokenLedger

        init(_ stage: any Stage) async throws {
            client = try await stage.flows(of: "client")
            broker = try await stage.flows(of: "idp")
            ledger = try await stage.ledger(of: Cast.firstDevice)
        }

        /// How the one flow ended that began since `earlier`: as the client has it, else as the other side has it. One
        /// that neither side has stored never began, and its caller knows why.
        func end(since earlier: Look, told: ActionEnd) -> FlowState.End {
            func new(_ now: [FlowState], _ then: [FlowState]) -> FlowState.End? {
                let known = Set(then.map(\.id))
                return now.first { !known.contains($0.id) }?.end
            }
            if let end = new(client, earlier.client) ?? new(broker, earlier.broker) { return end }
            switch told {
            case .failed(let code, _): return .failed(code: code)
            case .interrupted, .done: return .failed(code: "interrupted")
            }
        }
    }
}

extension TokenLedger {
    /// What must not be in a ledger of apps that are all honest.
    package var breaches: [String] {
        var found: [String] = []
        if issued > taken.count { found.append("tokens were issued \(issued) times for \(taken.count) credentials") }
        if reused > 0 { found.append("\(reused) credentials came a second time, and their families were revoked") }
        return found
    }
}
