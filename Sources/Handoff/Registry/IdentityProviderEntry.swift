package import Basics
import JOSE
package import OpenIDConnect

/// An identity provider app as a client pins it.
package struct IdentityProviderEntry: Sendable {
    package let peer: Peer
    /// The one issuer it may speak for.
    package let issuer: Issuer
    /// This client's id there.
    package let clientID: ClientID
    /// Whether a switch to another account of it needs no question.
    package let switchesSilently: Bool
    /// Whether `idpauthcodeinit` is taken.
    package let allowsKeychain: Bool
    /// Whether only one login at a time may run.
    package let isSingleFlow: Bool

    /// Makes an entry from the manifest's values; the keys' `use` and `alg` are enforced, RS256 is no command's
    /// algorithm, and one key has one purpose (else `unfit-key`). The command key's own `alg` pins its algorithm;
    /// without one that is ES256.
    package init(
        id: String, displayName: String, scheme: String, commandKey: JSONValue,
        formerCommandKeys: [FormerKeyRow] = [], encryptionKey: JSONValue, issuer: String, clientID: String,
        switchesSilently: Bool, allowsKeychain: Bool, isSingleFlow: Bool
    ) throws(Fault) {
        peer = Peer(
            id: try AppID(id), role: .identityProvider, displayName: displayName, scheme: scheme,
            commandKeys: [try VerificationKey(pinned: try JWK(commandKey))],
            formerKeys: try CommandKeys.formerKeys(formerCommandKeys),
            encryptionKey: try EncryptionKey(try JWK(encryptionKey)))
        try CommandKeys.requireDistinct(
            (peer.commandKeys + peer.formerKeys.map(\.key)).map(\.thumbprint) + [peer.encryptionKey.thumbprint])
        self.issuer = try Issuer(issuer)
        self.clientID = try ClientID(clientID)
        self.switchesSilently = switchesSilently
        self.allowsKeychain = allowsKeychain
        self.isSingleFlow = isSingleFlow
    }
}
