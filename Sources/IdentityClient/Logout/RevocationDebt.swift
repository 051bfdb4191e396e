import Basics
import Platform

/// A token of an account that is gone: it must not live on at the provider, which has not been told yet.
struct RevocationDebt: Codable, Sendable {
    static let table = Table<RevocationDebt>("revocation-due")

    var issuer: String
    /// The key of the account that it was for.
    var account: String
    var sealedToken: String

    /// How long it is worth telling: no token of a hand-off lives longer.
    static let life: Duration = .seconds(30 * 86_400)

    static func purpose(_ id: String) -> String { "revocation \(id)" }
}
