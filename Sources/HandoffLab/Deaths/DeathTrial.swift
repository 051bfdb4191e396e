import Basics
import Platform

/// Kills a process at a boundary and says what became of it, on any stage.
package struct DeathTrial: Sendable {
    private let stage: any Stage
    private let newcomer = DeathScenario.newcomer
    private let resident = DeathScenario.resident

    /// How long anything may take that nobody is killed in.
    private static let patience: Duration = .seconds(30)

    package init(_ stage: any Stage) { self.stage = stage }

    /// Begins the stage: both users are signed in at the identity provider app, and one is logged in at the client.
    package func prepare() async throws {
        try await stage.begin()
        for user in [newcomer, resident] { try await require(stage.signIn(user, at: "idp"), "\(user)'s sign-in") }
        try await require(logIn(resident), "\(resident)'s login")
        _ = try await stage.settle()
    }

    /// Sees to it that the scenario can begin: who is to be logged in is not, and who is to be logged out is.
    package func setScene(_ scenario: DeathScenario) async throws {
        guard try await holds(newcomer) != scenario.isLogout else { return }
        if scenario.isLogout {
            try await require(logIn(newcomer), "\(newcomer)'s login")
        } else {
            try await require(stage.logOut(LogoutOrder(of: newcomer, at: "client")), "\(newcomer)'s logout")
        }
        _ = try await stage.settle()
    }

    /// Plays the scenario of a point and kills the process that comes to its boundary.
    ///
    /// - Parameter timeout: the deadline of what is disturbed.
    package func run(_ point: DeathPoint, timeout: Duration) async throws -> DeathOutcome {
        guard let side = point.side else { return .broken(["no role lists \(point.boundary.rawValue)"]) }
        try await setScene(point.scenario)
        let before = try await Look(stage)
        try await stage.arm(Death(of: side.memberName, at: point.boundary))
        let told = try await point.scenario.play(on: stage, timeout: timeout)
        guard try await stage.disarm(within: Self.patience) else {
            return .broken(["nobody came to \(point.boundary.rawValue)"])
        }
        var breaches = try await stage.settle()
        let end: FlowState.End
        if point.scenario.isLogout {
            end = try await logoutEnd(told)
        } else {
            end = try await Look(stage).loginEnd(since: before, told: told)
            breaches += try await contradictions(end, told)
        }
        breaches += try await next(point.scenario, after: end)
        breaches += try await stage.settle()
        breaches += try await lostAccounts()
        breaches += try await Look(stage).ledger.since(before.ledger).breaches
        if !breaches.isEmpty { return .broken(breaches) }
        switch end {
        case .completed: return .completed
        case .failed(let code): return .failed(code: code)
        }
    }

    // MARK: - What came of it

    /// A logout is complete once the account has gone, whoever carried it out.
    private func logoutEnd(_ told: ActionEnd) async throws -> FlowState.End {
        let end = stage.environment.now() + Self.patience
        while try await holds(newcomer), stage.environment.now() < end, told == .interrupted || told.isDone {
            try await stage.environment.sleep(for: .milliseconds(100))
        }
        if try await !holds(newcomer) { return .completed }
        if case .failed(let code, _) = told { return .failed(code: code) }
        return .failed(code: "interrupted")
    }

    /// What does not fit together after the death of a login: the flow's end, what the caller was told, the accounts.
    private func contradictions(_ end: FlowState.End, _ told: ActionEnd) async throws -> [String] {
        var found: [String] = []
        let isThere = try await holds(newcomer)
        if isThere != (end == .completed) {
            found.append("the flow ended as \(end), and \(newcomer)'s account is \(isThere ? "" : "not ")there")
        }
        if told.isDone, end != .completed { found.append("the caller was told of a login, and the flow says \(end)") }
        return found
    }

    /// Tries again what failed, and then a login, which must work whatever has died.
    private func next(_ scenario: DeathScenario, after end: FlowState.End) async throws -> [String] {
        guard scenario.isLogout else {
            let again = try await scenario.play(on: stage, timeout: Self.patience)
            return again.isDone ? [] : ["the next login failed: \(again)"]
        }
        var found: [String] = []
        if end != .completed {
            let again = try await scenario.play(on: stage, timeout: Self.patience)
            if !again.isDone { found.append("the next logout failed: \(again)") }
        }
        if try await holds(newcomer) { found.append("\(newcomer) was logged out, and is there") }
        for again in [try await stage.signIn(newcomer, at: "idp"), try await logIn(newcomer)] where !again.isDone {
            found.append("the login afterwards failed: \(again)")
        }
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

    private func logIn(_ user: String) async throws -> ActionEnd {
        try await stage.logIn(LoginOrder("client", hint: user, timeout: Self.patience))
    }

    private func holds(_ user: String) async throws -> Bool {
        try await stage.accounts(of: "client").contains { $0.username == user }
    }

    private func require(_ end: ActionEnd, _ what: String) throws {
        guard end.isDone else { throw Fault(.stageFailed, "\(what) failed before anybody died: \(end)") }
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
        func loginEnd(since earlier: Look, told: ActionEnd) -> FlowState.End {
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
