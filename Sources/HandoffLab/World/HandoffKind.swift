/// The three ways a hand-off can go.
package enum HandoffKind: String, Sendable, CaseIterable {
    /// The client asks (`authrequest`).
    case clientInitiated = "client-initiated"
    /// The identity provider app invites, and the client asks (`idpinit`).
    case idpInitiated = "idp-initiated"
    /// The code comes unasked, its verifier waits in the secret group (`idpauthcodeinit`).
    case keychain
}
