import Basics
import JOSE

/// What a row of the client registry must hold before it is written: small rules, each with its reason.
struct RegistrationRule: Sendable {
    let reason: String
    let isKept: @Sendable (RegisteredClient) -> Bool

    static let all: [RegistrationRule] = [
        RegistrationRule(reason: "A display name is 1 to 80 characters.") { (1...80).contains($0.displayName.count) },
        RegistrationRule(reason: "A client has at least one redirect URI.") { !$0.redirectURIs.isEmpty },
        RegistrationRule(reason: "A confidential client has a secret or a key.") { client in
            client.kind == .public || client.authentication != .none
        },
        RegistrationRule(reason: "A public client cannot keep a secret.") { client in
            if client.kind == .public, case .secret = client.authentication { false } else { true }
        },
        RegistrationRule(reason: "A client that must send request objects has a key to check them.") { client in
            !client.requiresRequestObject || client.requestObjectKey != nil
        },
        RegistrationRule(reason: "ID tokens are signed with ES256 or RS256.") { client in
            client.idTokenAlgorithm == .es256 || client.idTokenAlgorithm == .rs256
        },
        RegistrationRule(reason: "A broker proves itself with private_key_jwt and DPoP.") { client in
            !client.isBroker || (client.usesPrivateKeyJWT && client.dpopBound)
        },
        RegistrationRule(reason: "Only a broker asks for the codes of other clients.") { client in
            client.isBroker || (client.brokerFor.isEmpty && client.mayInitiate.isEmpty)
        },
    ]

    /// - Throws: `invalid-client-registration`, with the reason.
    static func check(_ client: RegisteredClient) throws(Fault) {
        for rule in all where !rule.isKept(client) { throw Fault(.invalidClientRegistration, rule.reason) }
    }
}
