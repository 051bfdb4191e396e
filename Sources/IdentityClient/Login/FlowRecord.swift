import Basics
import Handoff
import OpenIDConnect
import Platform

/// A login that is under way, as it is stored: the flow in the clear, its secrets sealed.
struct FlowRecord: Codable, Sendable {
    static let table = Table<FlowRecord>("flow")

    var flow: ClientFlow
    var sealedVerifier: String
    var redirectURI: RedirectURI
    var scope: ScopeSet
    /// The `authrequest` that waits to be sent, sealed; absent once it has left.
    var sealedRequest: String?
    /// The code that is being redeemed, sealed.
    var sealedCode: String?
    /// What the code became (`RedeemedCode`), sealed, before the tokens are used for the first time.
    var sealedTokens: String?
    /// The subject that the answer named, or that was asked for.
    var expectedSubject: String?

    /// How long a finished flow stays, so that whoever waits for it can read how it ended.
    static let afterlife: Duration = .seconds(600)

    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(
            flow.id.text, self, family: flow.outcome == nil ? "pending" : "finished",
            expires: flow.deadline + FlowRecord.afterlife, in: transaction)
    }

    static func purpose(_ id: FlowID) -> String { "flow \(id.text)" }
}
