import Basics
import Handoff
import Platform

/// A hand-off that is under way at the identity provider app, as it is stored.
struct BrokerFlowRecord: Codable, Sendable {
    static let table = Table<BrokerFlowRecord>("flow")

    var flow: BrokerFlow
    /// The client's request, sealed, while it is being decided.
    var sealedRequest: String?
    /// Whom the client means, where it said so.
    var hint: UserHint?
    /// What the client calls itself; never verified.
    var appName: String?
    /// How the request came.
    var transport: Transport
    /// The command that waits to be sent, sealed: an invitation, or an answer that must survive this process.
    var sealedCommand: String?
    /// The thumbprint of the client's key that signed the request; absent before there is one.
    var keyID: String?
    /// The subject that an invitation of ours named.
    var invitedSubject: String?

    static let afterlife: Duration = .seconds(600)

    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(
            flow.id.text, self, family: flow.outcome == nil ? "pending" : "finished",
            expires: flow.deadline + Self.afterlife, in: transaction)
    }

    /// Forgets the secrets of a flow that has ended.
    mutating func clean() {
        guard flow.outcome != nil else { return }
        sealedRequest = nil
        sealedCommand = nil
    }

    static func purpose(_ id: FlowID) -> String { "broker-flow \(id.text)" }
}
