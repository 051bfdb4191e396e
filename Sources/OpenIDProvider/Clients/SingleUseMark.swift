import Basics
import OpenIDConnect
import Platform

/// The mark of a token that counts once: the `jti` of a client assertion, a DPoP proof or a request object.
struct SingleUseMark: Codable, Sendable {
    enum Purpose: String, Codable, Sendable {
        case clientAssertion = "client-assertion"
        case proof = "dpop-proof"
        case requestObject = "request-object"
    }

    let purpose: Purpose
    /// Whose `jti` it is: ids of two senders never meet.
    let owner: String
    let id: String
    /// When the token is void anyway.
    let expires: Timestamp

    /// Takes the mark; says whether it was there to take.
    ///
    /// A mark that would have been purged counts as taken, whatever the clock says now.
    func take(in transaction: borrowing Transaction) throws -> Bool {
        if let watermark = try ProviderTables.watermark.find("latest", in: transaction), expires <= watermark {
            return false
        }
        return try ProviderTables.marks.insert(
            combinedDigest([purpose.rawValue, owner, id]), expires, expires: expires, in: transaction)
    }

    /// Takes all marks in one commit; refuses the request when any of them was used before.
    static func take(_ marks: [SingleUseMark], _ context: ProviderContext) async throws {
        guard !marks.isEmpty else { return }
        let used = try await context.store.write(.full) { transaction in
            try marks.first { try !$0.take(in: transaction) }
        }
        if let used { throw used.refusal }
    }

    /// What the sender of a used mark is told.
    var refusal: Refusal {
        switch purpose {
        case .clientAssertion:
            Refusal(.invalidClient, "The client assertion was used before. Sign a new one with a jti of its own.")
        case .proof: Refusal(.invalidDPoPProof, "The DPoP proof was used before. Sign a new one with a jti of its own.")
        case .requestObject:
            Refusal(.invalidRequestObject, "The request object was used before. Sign a new one with a jti of its own.")
        }
    }
}
