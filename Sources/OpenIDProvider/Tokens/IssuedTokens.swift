import Basics
import JOSE
import OpenIDConnect
import Platform

/// Tokens that have been signed, and the rows that make them good.
struct IssuedTokens: Sendable {
    /// The JSON of the token response.
    let response: [UInt8]
    /// `jti` of the access token.
    let accessTokenID: String
    let familyID: String
    let family: GrantFamily
    /// How long a family row that is there already must live to be left as it is.
    let leastFamilyExpiry: Timestamp
    let refresh: (key: String, record: CredentialRecord)?
    /// The device secret that goes with the session from now on.
    let device: (sessionID: String, binding: ProviderSession.DeviceBinding)?

    /// Writes the rows.
    func put(replacing before: GrantFamily?, in transaction: borrowing Transaction) throws {
        // The row has time in hand (`TokenIssuer.familyExpiry`), so most rotations need not write it.
        if before.map({ $0.expires < leastFamilyExpiry }) ?? true {
            try ProviderTables.families.put(familyID, family, expires: family.expires, in: transaction)
        }
        if let (key, record) = refresh {
            try ProviderTables.refreshTokens.put(
                key, record, family: familyID, condition: record.binding, expires: record.expires, in: transaction)
        }
        if let (sessionID, binding) = device {
            guard var session = try ProviderTables.sessions.find(sessionID, in: transaction) else {
                throw Refusal(.invalidGrant, "The session has ended meanwhile. Sign in again.")
            }
            session.device = binding
            try session.put(in: transaction)
        }
    }
}
