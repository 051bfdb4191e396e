import Basics
import Handoff
import HandoffLab
import IdentityBroker
import IdentityClient
import Platform
import TestSupport
import Testing

/// Every cell of `FlowContract`, driven through the real apps: what comes of the message, what is touched, and that a
/// process that was started since does the same.
@Suite struct `The contract` {
    @Test(.rule("S6", "A051"), arguments: FlowStage.all(at: .client))
    func `has one result for each message at the client, and touches nothing but what it names`(
        stage: FlowStage
    ) throws {
        for message in FlowMessage.allCases { try drive(ClientInStage.self, message, in: stage) }
    }

    @Test(arguments: FlowStage.all(at: .identityProvider))
    func `has one result for each message at the identity provider app, and touches nothing but what it names`(
        stage: FlowStage
    ) throws {
        for message in FlowMessage.allCases { try drive(BrokerInStage.self, message, in: stage) }
    }

    @Test(.rule("S21", "T17"), arguments: FlowStage.all(at: .client).dropFirst())
    func `lets no other peer into a flow of the client`(stage: FlowStage) throws {
        try driveByStranger(ClientInStage.self, in: stage)
    }

    @Test(arguments: FlowStage.all(at: .identityProvider).dropFirst())
    func `lets no other client into a flow of the identity provider app`(stage: FlowStage) throws {
        try driveByStranger(BrokerInStage.self, in: stage)
    }

    @Test func `lets accounts change in four cells alone, all at the client`() {
        var changing: [String] = []
        for role in [AppRole.client, .identityProvider] {
            for stage in FlowStage.all(at: role) {
                for message in FlowMessage.allCases
                where FlowContract.cell(message, at: role, in: stage).changesAccounts {
                    changing.append("\(role.rawValue): \(message.rawValue), \(stage.word(at: role))")
                }
            }
        }
        #expect(
            changing == [
                "client: idpinit, no flow", "client: idpauthcodeinit, no flow",
                "client: logout, no flow", "client: authresponse, awaiting answer",
            ])
    }

    /// One cell, before and after a restart of the app.
    private func drive<App: AppInStage>(_: App.Type, _ message: FlowMessage, in stage: FlowStage) throws {
        let cell = FlowContract.cell(message, at: App.role, in: stage)
        for isRestarted in [false, true] {
            // The client asks nobody about an invitation a second time: that is a test of its own.
            if isRestarted, App.role == .client, stage == .invited { continue }
            try simulate(try App.plan()) { world in
                var app = try await App(world, stage)
                if isRestarted { try await app.restart(world) }
                let place = "\(message.rawValue) in \(stage.word(at: App.role))\(isRestarted ? ", restarted" : "")"
                #expect(try await app.stage() == stage, "\(place)")
                if message.isAnswer, cell.verdict.isTransition {
                    // The same to another command than the flow's own is none of its business.
                    let before = try Traces(world, app)
                    try await app.deliver(message, world, by: app.peer, isAstray: true)
                    try await world.environment.sleep(for: .seconds(1))
                    let after = try Traces(world, app)
                    #expect(after.refusals == before.refusals + ["command-uncorrelated"], "\(place), astray")
                    #expect(after.flows == before.flows && after.accounts == before.accounts, "\(place), astray")
                }
                let before = try Traces(world, app)
                try await app.deliver(message, world, by: app.peer, isAstray: false)
                try await world.environment.sleep(for: .seconds(1))
                let after = try Traces(world, app)
                let new = after.refusals.dropFirst(before.refusals.count)
                switch cell.verdict {
                case .begins(let next), .moves(let next):
                    #expect(try await app.stage() == next, "\(place)")
                    #expect(new == [], "\(place)")
                case .ends(let ending):
                    #expect(try await app.stage() == .ended(ending), "\(place)")
                    #expect(new == [], "\(place)")
                case .late:
                    #expect(new == ["command-late"], "\(place)")
                    #expect(after.flows == before.flows, "\(place)")
                case .refused(let code):
                    #expect(new == [code.name], "\(place)")
                    #expect(after.flows == before.flows, "\(place)")
                case .answered:
                    #expect(new == [], "\(place)")
                    #expect(after.flows == before.flows, "\(place)")
                    if message == .ping {
                        #expect(after.pongs == before.pongs + 1, "\(place)")
                    } else {
                        #expect(after.receipts == before.receipts + 1, "\(place)")
                    }
                }
                #expect(after.otherFlows(than: app.flow) == before.otherFlows(than: app.flow), "\(place)")
                if !cell.changesAccounts { #expect(after.accounts == before.accounts, "\(place)") }
                await app.stop()
            }
        }
    }

    /// Every message of another registered app, in the middle of somebody else's flow.
    private func driveByStranger<App: AppInStage>(_: App.Type, in stage: FlowStage) throws {
        try simulate(try App.plan()) { world in
            let app = try await App(world, stage)
            for message in FlowMessage.allCases {
                let place = "\(message.rawValue) in \(stage.word(at: App.role))"
                let before = try Traces(world, app)
                try await app.deliver(message, world, by: app.stranger, isAstray: false)
                try await world.environment.sleep(for: .seconds(1))
                let after = try Traces(world, app)
                let new = after.refusals.dropFirst(before.refusals.count)
                switch FlowContract.cell(message, at: App.role, in: stage).verdict {
                case .answered: #expect(new == [], "\(place)")
                case .refused(.commandRole): #expect(new == ["command-role"], "\(place)")
                default: #expect(new == ["command-uncorrelated"], "\(place)")
                }
                #expect(after.flows == before.flows, "\(place)")
                #expect(after.accounts == before.accounts, "\(place)")
            }
            await app.stop()
        }
    }
}

extension FlowMessage {
    /// Whether it names the command that it answers.
    fileprivate var isAnswer: Bool {
        switch self {
        case .authrequestToInvitation, .authresponse, .error, .loggedIn, .switched, .failed, .logoutack, .pong: true
        case .authrequest, .idpinit, .idpauthcodeinit, .cancel, .logout, .ping: false
        }
    }
}

extension FlowContract.Verdict {
    fileprivate var isTransition: Bool {
        switch self {
        case .begins, .moves, .ends: true
        case .late, .refused, .answered: false
        }
    }
}

/// What a message can leave behind.
private struct Traces {
    let flows: [String: [UInt8]]
    let accounts: [String: [UInt8]]
    let refusals: [String]
    /// Answers to pings nobody waits for, as the peer's endpoint has them.
    let pongs: Int
    /// The receipts of logouts that the app has sent.
    let receipts: Int

    init(_ world: LabWorld, _ app: some AppInStage) throws {
        let own = try world.app(app.id)
        func rows(_ kinds: [String]) throws -> [String: [UInt8]] {
            let all = try own.store.read { records in
                try kinds.flatMap { kind in
                    try records.list(RecordKind(kind)).map { ("\(kind) \($0.key)", $0.value) }
                }
            }
            return Dictionary(uniqueKeysWithValues: all)
        }
        flows = try rows(["flow"])
        accounts = try rows(["account", "current-account"])
        refusals = world.refusals(of: app.id)
        pongs = world.refusals(of: app.peerID).count
        receipts = world.journal.entries(of: app.id).count { $0.kind == .sent && $0.message.hasPrefix("logoutack ") }
    }

    func otherFlows(than flow: FlowID) -> [String: [UInt8]] { flows.filter { $0.key != "flow \(flow.text)" } }
}
