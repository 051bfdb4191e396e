import Basics
import JOSE
import OpenIDConnect
import Platform

/// A token request whose client and key are known.
struct TokenRequest: Sendable {
    let form: Parameters
    let client: AuthenticatedClient
    let proof: ProvedKey?

    /// The key that the presenter proved by DPoP, as conditions state it.
    var provedKey: String? { proof?.thumbprint.value }

    /// Whether the presenter proved a key at all.
    var provesKey: Bool { proof != nil || client.provedKey }

    /// What makes two requests the same: all but what must be fresh in each.
    var digest: String {
        combinedDigest([
            client.client.id.text, provedKey ?? "-", form.digest(leavingOut: ["client_assertion", "client_secret"]),
        ])
    }
}

/// A credential as it was presented: what will be looked for, and what the row must say for it to be taken.
struct Presentation: Sendable {
    let table: Table<CredentialRecord>
    let credential: Secret<String>
    /// What the presenter states, given the key that the row is bound to.
    let condition: @Sendable (_ boundKey: KeyThumbprint?) -> String
    /// A narrower scope for this access token.
    let narrowed: ScopeSet?
    /// Whether it is a code: then its misses are counted, its session must be alive, and it begins the family.
    let isCode: Bool
    /// The one answer to everything that is wrong with the credential.
    let refusal: Refusal

    var key: String { storedDigest(credential.unmasked) }
}

/// One way to get tokens.
///
/// Each grant only says what it presents; all else is the same for all (`Redemption`).
protocol TokenGrant: Sendable {
    static var type: RegisteredClient.GrantType { get }
    static func present(_ request: TokenRequest) throws -> Presentation
}

/// The grants of the token endpoint.
enum TokenGrants {
    static let all: [any TokenGrant.Type] = [AuthorizationCodeGrant.self, RefreshTokenGrant.self]

    static func named(_ name: String) -> (any TokenGrant.Type)? { all.first { $0.type.rawValue == name } }
}
