package import OpenIDConnect

/// A client that speaks the original's plain URLs. It has no keys, so there is little that it may.
package struct ClassicClientEntry: Sendable, Codable, Hashable {
    /// The app's id, which is also the bus name that its requests must come from.
    package var id: AppID
    package var displayName: String
    /// Where answers go; no other app has it.
    package var scheme: String
    package var clientID: ClientID
    package var redirectURI: RedirectURI
    package var scopes: ScopeSet
    /// The executable that its process must have, where it is known (evidence can only refuse).
    package var executable: String?

    package init(
        id: AppID, displayName: String, scheme: String, clientID: ClientID, redirectURI: RedirectURI, scopes: ScopeSet,
        executable: String? = nil
    ) {
        self.id = id
        self.displayName = displayName
        self.scheme = scheme
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.executable = executable
    }

    /// The scheme that classic URLs to the identity provider app are in, beside its own for signed ones.
    package static let identityProviderScheme = "org.countersign.idp.classic"
}
