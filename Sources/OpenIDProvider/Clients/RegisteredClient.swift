package import JOSE
package import OpenIDConnect

/// One row of the client registry.
///
/// It knows no schemes and no command keys.
package struct RegisteredClient: Codable, Sendable, Hashable {
    /// Whether the client can keep a credential (RFC 6749 §2.1).
    package enum Kind: String, Codable, Sendable {
        case `public`, confidential
    }

    /// What a client may present at the token endpoint.
    package enum GrantType: String, Codable, Sendable, CaseIterable {
        case authorizationCode = "authorization_code"
        case refreshToken = "refresh_token"
    }

    /// How the client proves who it is.
    package enum Authentication: Codable, Sendable, Hashable {
        /// Not at all: a public client, bound by its keys where it has some.
        case none
        /// `client_secret_basic` or `client_secret_post`; the registry keeps a SHA-256 of the random secret.
        case secret(digest: String)
        /// `private_key_jwt` (RFC 7523).
        case privateKeyJWT(ClientKey)
    }

    /// `client_id`.
    package var id: ClientID
    /// What pages call it.
    package var displayName: String
    package var kind: Kind
    /// Exact, but for the port of a loopback address (RFC 8252 §7.3).
    package var redirectURIs: [RedirectURI]
    /// What it may ask for.
    package var scopes: ScopeSet
    package var grantTypes: [GrantType]
    package var authentication: Authentication
    /// The key that its request objects are signed with (RFC 9101); also the key its hand-off codes are bound to.
    package var requestObjectKey: ClientKey?
    /// Keys that were replaced, each with its end; absent where there are none.
    package var formerKeys: [FormerClientKey]?
    /// Whether parameters outside a request object are refused.
    package var requiresRequestObject: Bool
    package var idTokenAlgorithm: SignatureAlgorithm
    /// Whether its tokens are always bound to a key (RFC 9449).
    package var dpopBound: Bool
    /// Whether it may ask for codes of other clients.
    package var isBroker: Bool
    /// The clients for which a broker may ask with their request object.
    package var brokerFor: [ClientID]
    /// The clients for which a broker may ask without a request object (`may_initiate`).
    package var mayInitiate: [ClientID]
    /// Whether it is the provider's own: it may take a password, and needs no consent.
    package var isFirstParty: Bool
    /// Whether it is a classic client of a broker: without a key, so that a broker's code for it is bound to nothing but
    /// its challenge, and with the original's long verifier.
    package var isClassic: Bool

    package init(
        id: ClientID, displayName: String, kind: Kind = .public, redirectURIs: [RedirectURI], scopes: ScopeSet,
        grantTypes: [GrantType] = [.authorizationCode, .refreshToken], authentication: Authentication = .none,
        requestObjectKey: ClientKey? = nil, requiresRequestObject: Bool = false,
        idTokenAlgorithm: SignatureAlgorithm = .rs256, dpopBound: Bool = false, isBroker: Bool = false,
        brokerFor: [ClientID] = [], mayInitiate: [ClientID] = [], isFirstParty: Bool = false, isClassic: Bool = false
    ) {
        self.id = id
        self.displayName = displayName
        self.kind = kind
        self.redirectURIs = redirectURIs
        self.scopes = scopes
        self.grantTypes = grantTypes
        self.authentication = authentication
        self.requestObjectKey = requestObjectKey
        self.requiresRequestObject = requiresRequestObject
        self.idTokenAlgorithm = idTokenAlgorithm
        self.dpopBound = dpopBound
        self.isBroker = isBroker
        self.brokerFor = brokerFor
        self.mayInitiate = mayInitiate
        self.isFirstParty = isFirstParty
        self.isClassic = isClassic
    }
}

extension RegisteredClient {
    /// An app that takes part in hand-offs: public, its tokens bound to its OAuth key, ES256.
    package static func handoffApp(
        id: ClientID, displayName: String, redirectURIs: [RedirectURI], scopes: ScopeSet, key: ClientKey
    ) -> RegisteredClient {
        RegisteredClient(
            id: id, displayName: displayName, redirectURIs: redirectURIs, scopes: scopes, requestObjectKey: key,
            idTokenAlgorithm: .es256, dpopBound: true)
    }

    /// A client that speaks the original's plain URLs: public, without a key, and never a refresh token.
    package static func classicApp(
        id: ClientID, displayName: String, redirectURI: RedirectURI, scopes: ScopeSet
    ) -> RegisteredClient {
        RegisteredClient(
            id: id, displayName: displayName, redirectURIs: [redirectURI], scopes: scopes,
            grantTypes: [.authorizationCode], isClassic: true)
    }

    /// The identity provider app: confidential, first party, and a broker for the given clients.
    package static func broker(
        id: ClientID, displayName: String, redirectURIs: [RedirectURI], scopes: ScopeSet, key: ClientKey,
        brokerFor: [ClientID] = [], mayInitiate: [ClientID] = []
    ) -> RegisteredClient {
        RegisteredClient(
            id: id, displayName: displayName, kind: .confidential, redirectURIs: redirectURIs, scopes: scopes,
            authentication: .privateKeyJWT(key), requestObjectKey: key, idTokenAlgorithm: .es256, dpopBound: true,
            isBroker: true, brokerFor: brokerFor, mayInitiate: mayInitiate, isFirstParty: true)
    }

    /// The registered form of a random client secret.
    package static func secretDigest(_ secret: String) -> String { storedDigest(secret) }

    /// Whether it proves itself with a key of its own.
    var usesPrivateKeyJWT: Bool { if case .privateKeyJWT = authentication { true } else { false } }

    /// Whether a redirect URI is one of those registered: the one comparison.
    func hasRegistered(_ redirectURI: RedirectURI) -> Bool {
        redirectURIs.contains { redirectURI.matches(registered: $0) }
    }
}
