package import Basics
package import JOSE
package import OpenIDConnect

/// One client in the identity provider app's registry. What a client names and its entry does not is refused.
package struct AppRegistryEntry: Sendable, Codable {
    /// When the person is asked before a code is made for the client.
    package enum ConsentRule: String, Sendable, Codable, CaseIterable {
        case firstUse = "first-use"
        case always
        case never
    }

    /// How commands of the client may arrive.
    package enum DeliveryRule: String, Sendable, Codable, CaseIterable {
        case any
        case direct
    }

    /// What a client may ask for beyond its own logins.
    package enum Permission: String, Sendable, Codable, CaseIterable {
        /// To log the person out of every app of this device.
        case logoutDevice = "logout-device"
        /// To end every session that the person has at the provider.
        case logoutEverywhere = "logout-everywhere"
    }

    package var id: AppID
    package var displayName: String
    package var scheme: String
    /// The pinned public key for commands, a JWK as text.
    package var commandKey: String
    package var commandAlgorithm: SignatureAlgorithm
    /// Command keys that have been replaced and count for a while yet; absent where there are none.
    package var formerCommandKeys: [FormerKeyRow]?
    /// The pinned public key for encryption to it, a JWK as text.
    package var encryptionKey: String
    /// The pinned public OAuth key (request objects, assertions, proofs), a JWK as text.
    package var oauthKey: String
    package var oauthAlgorithm: SignatureAlgorithm
    /// OAuth keys that have been replaced and count for a while yet; absent where there are none.
    package var formerOAuthKeys: [FormerKeyRow]?
    package var clientID: ClientID
    package var redirectURIs: [RedirectURI]
    package var scopes: ScopeSet
    /// Hosts that `start_url` and `login_host` may name.
    package var hosts: [String]
    package var consent: ConsentRule
    package var delivery: DeliveryRule
    /// Whether the keychain variant may be used for it.
    package var allowsKeychain: Bool
    /// The secret groups that it is a member of, whatever its manifest asks for; absent in rows from before there was
    /// more than one.
    package var groups: [String]?
    /// The executable that its process must have, where it is known (evidence can only refuse).
    package var executable: String?
    /// What it may ask for beyond its own logins; absent where nothing is.
    package private(set) var permissions: [Permission]?

    package init(
        id: AppID, displayName: String, scheme: String, commandKey: JWK, commandAlgorithm: SignatureAlgorithm = .es256,
        encryptionKey: JWK, oauthKey: JWK, oauthAlgorithm: SignatureAlgorithm = .es256, clientID: ClientID,
        redirectURIs: [RedirectURI], scopes: ScopeSet, hosts: [String] = [], consent: ConsentRule = .firstUse,
        delivery: DeliveryRule = .any, allowsKeychain: Bool = true, executable: String? = nil,
        permissions: [Permission] = []
    ) {
        self.id = id
        self.displayName = displayName
        self.scheme = scheme
        self.commandKey = commandKey.json.serializedText
        self.commandAlgorithm = commandAlgorithm
        self.encryptionKey = encryptionKey.json.serializedText
        self.oauthKey = oauthKey.json.serializedText
        self.oauthAlgorithm = oauthAlgorithm
        self.clientID = clientID
        self.redirectURIs = redirectURIs
        self.scopes = scopes
        self.hosts = hosts
        self.consent = consent
        self.delivery = delivery
        self.allowsKeychain = allowsKeychain
        self.executable = executable
        self.permissions = permissions.isEmpty ? nil : Permission.allCases.filter(permissions.contains)
    }

    /// Whether the client may ask for that.
    package func allows(_ permission: Permission) -> Bool { permissions?.contains(permission) ?? false }

    /// The entry with its keys parsed, `use` and `alg` enforced.
    ///
    /// - Throws: what `JWK`, `VerificationKey` and `EncryptionKey` throw for a key that does not fit its use;
    ///   `unfit-key` for RS256 commands, and for one key with two purposes.
    package func registeredClient() throws(Fault) -> RegisteredClientApp {
        let peer = Peer(
            id: id, role: .client, displayName: displayName, scheme: scheme,
            commandKeys: [try CommandKeys.commandKey(try JWK(parsing: commandKey), algorithm: commandAlgorithm)],
            formerKeys: try CommandKeys.formerKeys(formerCommandKeys ?? []),
            encryptionKey: try EncryptionKey(try JWK(parsing: encryptionKey)))
        let oauth = try VerificationKey(try JWK(parsing: oauthKey), algorithm: oauthAlgorithm)
        var formerOAuth: [FormerKey] = []
        for row in formerOAuthKeys ?? [] { formerOAuth.append(try row.formerKey()) }
        let signing = peer.commandKeys + peer.formerKeys.map(\.key) + [oauth] + formerOAuth.map(\.key)
        try CommandKeys.requireDistinct(signing.map(\.thumbprint) + [peer.encryptionKey.thumbprint])
        return RegisteredClientApp(entry: self, peer: peer, oauthKey: oauth, formerOAuthKeys: formerOAuth)
    }
}

/// A registry entry with its keys ready for use.
package struct RegisteredClientApp: Sendable {
    package let entry: AppRegistryEntry
    package let peer: Peer
    /// The key that the client's request objects are signed with.
    package let oauthKey: VerificationKey
    /// Those that were replaced.
    package let formerOAuthKeys: [FormerKey]

    /// The key that a request object names: a former one until its end, else the one in use.
    package func oauthKey(named keyID: String?, at now: Timestamp) -> VerificationKey {
        formerOAuthKeys.first { $0.key.thumbprint.value == keyID && $0.counts(at: now) }?.key ?? oauthKey
    }
}
