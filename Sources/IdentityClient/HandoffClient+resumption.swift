import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform

/// What an earlier process of this app left, and what time ends.
extension HandoffClient {
    /// Takes up the flows that an earlier process left: those past their deadline end, codes that were taken are
    /// redeemed, invitations that were being decided end, the others go on waiting for their answer.
    func resumeFlows() async throws {
        try await endOverdueFlows()
        for record in try untoldFlows() {
            surroundings.environment.spawn("last word") { [self] in try await sendLastWord(of: record) }
        }
        for record in try pendingFlows() {
            switch record.flow.stage {
            case .answered: surroundings.environment.spawn("resume") { [self] in try await redeem(record) }
            case .invited:
                // Nobody is asked a second time; the peer hears that it may invite again.
                surroundings.environment.spawn("resume") { [self] in
                    await giveUp(record.flow.id, because: Fault(.loginInterrupted))
                }
            case .none, .waiting, .ended: break
            }
        }
    }

    /// Ends the flows past their deadline, and forgets what is of no use any more; to be called now and then.
    package func endOverdueFlows() async throws {
        let now = surroundings.environment.now()
        for record in try pendingFlows() where record.flow.deadline <= now {
            try await advance(record.flow.id, .deadlinePassed)
        }
        let ledger = ledger
        _ = try await surroundings.store.write(.normal) { transaction in
            for kind in [
                FlowRecord.table.kind, LogoutAsk.table.kind, RevocationDebt.table.kind, Self.logoutTokens.kind,
            ] {
                try transaction.purge(kind, expiredBefore: now)
            }
            try ledger.purge(now: now, in: transaction)
        }
    }

    /// Whether a flow is under way that has time left.
    package func hasFlowsUnderWay() throws -> Bool {
        let now = surroundings.environment.now()
        return try pendingFlows().contains { $0.flow.deadline > now }
    }

    /// The flows that have ended in a process that could not say so, and another has not said it yet.
    private func untoldFlows() throws -> [FlowRecord] {
        try surroundings.store.read { try FlowRecord.table.list(family: "finished", in: $0).map(\.value) }
            .filter { $0.sealedCommand != nil }
    }

    private func pendingFlows() throws -> [FlowRecord] {
        try surroundings.store.read { try FlowRecord.table.list(family: "pending", in: $0).map(\.value) }
    }
}
