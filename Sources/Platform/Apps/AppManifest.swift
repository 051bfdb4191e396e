package import Basics

/// What an app says of itself, and whom it trusts: `app.yaml` in its folder of the home (docs/handoff-protocol.md).
package struct AppManifest: Sendable, Equatable {
    /// How commands may reach the app.
    package enum DeliveryRule: String, Sendable, Codable, CaseIterable {
        /// From the peer's own bus name, or through an opener (then the user is asked).
        case any
        /// Only from the peer's own bus name.
        case direct
    }

    /// Which role the app has.
    package enum Role: String, Sendable, Codable, CaseIterable {
        case identityProvider = "identity-provider"
        case client
    }

    /// What an unprompted switch to another account needs.
    package enum SwitchRule: String, Sendable, Codable, CaseIterable {
        case ask
        case silent
    }

    /// How many logins of one app may run at a time.
    package enum Concurrency: String, Sendable, Codable, CaseIterable {
        case many
        case one
    }

    /// A key that has been replaced, and counts until a date.
    package struct FormerKey: Sendable, Equatable {
        /// The public key, a JWK.
        package var key: JSONValue
        /// The first moment at which it counts no more.
        package var ends: Timestamp

        package init(key: JSONValue, ends: Timestamp) {
            self.key = key
            self.ends = ends
        }
    }

    /// The identity provider that a client trusts.
    package struct IdentityProvider: Sendable, Equatable {
        /// The app id, which is also its bus name.
        package var id: String
        package var displayName: String
        /// The scheme its commands are addressed to.
        package var scheme: String
        /// The pinned public key for commands, a JWK.
        package var commandKey: JSONValue
        /// Keys for commands that were pinned before, and count for a while yet.
        package var formerCommandKeys: [FormerKey] = []
        /// The pinned public key for encryption to it, a JWK.
        package var encryptionKey: JSONValue
        /// The one issuer it may speak for.
        package var issuer: String
        /// This client's id at that issuer.
        package var clientID: String
        package var switchRule: SwitchRule
        /// Whether `idpauthcodeinit` is taken.
        package var allowsKeychain: Bool
        package var concurrency: Concurrency

        package init(
            id: String, displayName: String, scheme: String, commandKey: JSONValue, encryptionKey: JSONValue,
            issuer: String, clientID: String, switchRule: SwitchRule = .ask, allowsKeychain: Bool = true,
            concurrency: Concurrency = .many
        ) {
            self.id = id
            self.displayName = displayName
            self.scheme = scheme
            self.commandKey = commandKey
            self.encryptionKey = encryptionKey
            self.issuer = issuer
            self.clientID = clientID
            self.switchRule = switchRule
            self.allowsKeychain = allowsKeychain
            self.concurrency = concurrency
        }
    }

    /// The app id: a reverse domain name, also the bus name.
    package var id: String
    package var displayName: String
    package var role: Role
    /// The URL schemes it claims; the first is its own for commands.
    package var schemes: [String]
    /// Where authorization responses return.
    package var redirectURIs: [String]
    package var scopes: [String]
    /// https hosts that are associated with the app.
    package var domains: [String]
    /// How to start it: an argument list, never a shell line.
    package var start: [String]
    package var delivery: DeliveryRule
    /// What opens URLs for it in place of the desktop: an argument list with one `{url}`, never a shell line.
    package var opener: [String]
    /// Secret groups that it asks to be in.
    package var groups: [String]
    /// The identity providers it trusts; a client has at least one to take part in hand-offs.
    package var identityProviders: [IdentityProvider]

    package init(
        id: String, displayName: String, role: Role, schemes: [String] = [], redirectURIs: [String] = [],
        scopes: [String] = [], domains: [String] = [], start: [String] = [], delivery: DeliveryRule = .any,
        opener: [String] = [],
        groups: [String] = [], identityProviders: [IdentityProvider] = []
    ) {
        self.id = id
        self.displayName = displayName
        self.role = role
        self.schemes = schemes
        self.redirectURIs = redirectURIs
        self.scopes = scopes
        self.domains = domains
        self.start = start
        self.delivery = delivery
        self.opener = opener
        self.groups = groups
        self.identityProviders = identityProviders
    }
}
