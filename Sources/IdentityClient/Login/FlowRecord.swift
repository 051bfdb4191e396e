import Basics
import Handoff
import OpenIDConnect
import Platform

/// A login that is under way, as it is stored: the flow in the clear, its secrets sealed.
struct FlowRecord: Codable, Sendable {
    static let table = Table<FlowRecord>("flow")

    var flow: ClientFlow
    /// The verifier, sealed; empty before there is one, and after the end.
    var sealedVerifier: String
    var redirectURI: RedirectURI
    var scope: ScopeSet
    /// The thumbprint of the app's key that the request was signed with, and so the code is bound to; absent where the
    /// code came without a request.
    var keyID: String?
    /// A command that waits to be sent, sealed: the `authrequest`, or the last word of a process that does not own the
    /// app's name.
    var sealedCommand: String?
    /// The code that is being redeemed, sealed.
    var sealedCode: String?
    /// What the code became (`RedeemedCode`), sealed, before the tokens are used for the first time.
    var sealedTokens: String?

    /// The thumbprint of the peer's key that signed the invitation; absent where this app began.
    var invitedBy: String?

    /// How long a finished flow stays, so that whoever waits for it can read how it ended.
    static let afterlife: Duration = .seconds(600)

    func put(in transaction: borrowing Transaction) throws {
        try Self.table.put(
            flow.id.text, self, family: flow.outcome == nil ? "pending" : "finished",
            expires: flow.deadline + FlowRecord.afterlife, in: transaction)
    }

    /// Takes the place of the invitation with the same id, where that has not ended meanwhile.
    ///
    /// - Returns: how it has ended, where it has.
    func replaceInvitation(in transaction: borrowing Transaction) throws -> ClientFlow.Outcome? {
        guard let invitation = try FlowRecord.table.find(flow.id.text, in: transaction) else {
            throw Fault(.flowUnknown)
        }
        if let ended = invitation.flow.outcome { return ended }
        guard invitation.flow.stage == .invited else { throw Fault(.commandUncorrelated) }
        var begun = self
        begun.invitedBy = invitation.invitedBy
        try begun.put(in: transaction)
        return nil
    }

    /// Forgets the secrets of a flow that has ended.
    mutating func clean() {
        guard flow.outcome != nil else { return }
        sealedVerifier = ""
        sealedCommand = nil
        sealedCode = nil
        sealedTokens = nil
    }

    static func purpose(_ id: FlowID) -> String { "flow \(id.text)" }
}

extension FlowRecord {
    /// A flow that the peer began, with nothing but what the app's manifest says.
    init(invitation flow: ClientFlow, signedBy keyID: String, manifest: AppManifest) throws {
        guard let redirect = manifest.redirectURIs.first else { throw Fault(.noIdentityProvider) }
        self.init(
            flow: flow, sealedVerifier: "", redirectURI: try RedirectURI(redirect),
            scope: try ScopeSet(manifest.scopes), invitedBy: keyID)
    }
}
