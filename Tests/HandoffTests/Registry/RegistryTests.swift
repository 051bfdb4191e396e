import Basics
import Handoff
import JOSE
import OpenIDConnect
import Testing

/// A registry enforces what its keys are for when it is read.
@Suite struct RegistryTests {
    private let oauth: SigningKey

    init() throws { oauth = try SigningKey.generate(.es256) }

    private func entry(
        command: JWK? = nil, algorithm: SignatureAlgorithm = .es256, encryption: JWK? = nil, oauth: JWK? = nil,
        oauthAlgorithm: SignatureAlgorithm = .es256
    ) throws -> AppRegistryEntry {
        AppRegistryEntry(
            id: World.client.id, displayName: "Notes", scheme: "notes",
            commandKey: command ?? World.client.command.verificationKey.jwk, commandAlgorithm: algorithm,
            encryptionKey: encryption ?? World.client.encryption.encryptionKey.jwk,
            oauthKey: oauth ?? self.oauth.verificationKey.jwk, oauthAlgorithm: oauthAlgorithm,
            clientID: try ClientID("notes"), redirectURIs: [try RedirectURI("com.example.notes://done")],
            scopes: try ScopeSet("openid"))
    }

    private func provider(
        command: JWK? = nil, encryption: JWK? = nil, id: String = "com.example.idp",
        issuer: String = "http://localhost:8080"
    ) throws -> IdentityProviderEntry {
        try IdentityProviderEntry(
            id: id, displayName: "IDP", scheme: "idp",
            commandKey: (command ?? World.idp.command.verificationKey.jwk).json,
            encryptionKey: (encryption ?? World.idp.encryption.encryptionKey.jwk).json, issuer: issuer,
            clientID: "notes",
            switchesSilently: false, allowsKeychain: true, isSingleFlow: false)
    }

    private var encryptionJWK: JWK { World.idp.encryption.encryptionKey.jwk }
    private var signingJWK: JWK { World.otherClient.command.verificationKey.jwk }

    @Test func `an entry with three keys that fit is read`() throws {
        let client = try entry().registeredClient()
        #expect(client.peer.role == .client)
        #expect(client.peer.commandKeys == [World.client.command.verificationKey])
        #expect(client.peer.encryptionKey == World.client.encryption.encryptionKey)
        #expect(client.oauthKey == oauth.verificationKey)
        let idp = try provider()
        #expect(idp.peer.role == .identityProvider)
        #expect(idp.issuer.text == "http://localhost:8080")
    }

    @Test func `a key for encryption signs nothing`() throws {
        #expect(throws: Fault(.unfitKey)) { try entry(command: encryptionJWK).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try entry(oauth: encryptionJWK).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try provider(command: World.client.encryption.encryptionKey.jwk) }
    }

    @Test func `a key for signatures opens nothing`() throws {
        #expect(throws: Fault(.unfitKey)) { try entry(encryption: signingJWK).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try provider(encryption: signingJWK) }
    }

    @Test func `a key whose alg or type is another than the pinned algorithm is refused`() throws {
        #expect(throws: Fault(.unfitKey)) { try entry(algorithm: .edDSA).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try entry(algorithm: .ps256).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try entry(oauthAlgorithm: .rs256).registeredClient() }
        let misnamed = World.idp.command.verificationKey.jwk.with(use: .sig, algorithm: "EdDSA", keyID: nil)
        #expect(throws: Fault(.unfitKey)) { try provider(command: misnamed) }
        let renamed = signingJWK.with(use: .sig, algorithm: "ES512", keyID: nil)
        #expect(throws: Fault(.unfitKey)) { try entry(command: renamed).registeredClient() }
        let agreement = encryptionJWK.with(use: .enc, algorithm: "ECDH-ES+A256KW", keyID: nil)
        #expect(throws: Fault(.unfitKey)) { try entry(encryption: agreement).registeredClient() }
    }

    @Test func `commands are signed with ES256, EdDSA or PS256, and not RS256`() throws {
        for party in [World.edDSA, World.ps256] {
            let key = party.command.verificationKey
            #expect(throws: Never.self) { try entry(command: key.jwk, algorithm: key.algorithm).registeredClient() }
            #expect(try provider(command: key.jwk).peer.commandKeys.map(\.algorithm) == [key.algorithm])
            // Without a word of its own a key is for ES256, whatever it could do.
            let bare = key.jwk.with(use: nil, algorithm: nil, keyID: nil)
            #expect(throws: Fault(.unfitKey)) { try provider(command: bare) }
        }
        let rs256 = World.rs256.command.verificationKey
        #expect(throws: Fault(.unfitKey)) { try entry(command: rs256.jwk, algorithm: .rs256).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try provider(command: rs256.jwk) }
        // OAuth's key may be RS256: other servers know nothing else.
        #expect(throws: Never.self) { try entry(oauth: rs256.jwk, oauthAlgorithm: .rs256).registeredClient() }
    }

    @Test func `one key with two purposes is refused`() throws {
        let bare = signingJWK.with(use: nil, algorithm: nil, keyID: nil)
        #expect(throws: Fault(.unfitKey)) { try entry(command: bare, oauth: bare).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try entry(command: bare, encryption: bare).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try entry(encryption: bare, oauth: bare).registeredClient() }
        #expect(throws: Fault(.unfitKey)) { try provider(command: bare, encryption: bare) }
        // Each alone is taken.
        #expect(throws: Never.self) { try entry(command: bare).registeredClient() }
        #expect(throws: Never.self) { try provider(encryption: bare) }
    }

    @Test func `a kid is the thumbprint whatever the JWK says`() throws {
        let jwk = World.client.command.verificationKey.jwk.with(use: .sig, algorithm: "ES256", keyID: "mine")
        let peer = try entry(command: jwk).registeredClient().peer
        #expect(peer.commandKey(id: "mine", at: World.now) == nil)
        #expect(peer.commandKey(id: jwk.thumbprint.value, at: World.now) != nil)
        #expect(peer.commandKey(id: nil, at: World.now) == nil)
        #expect(peer.commandKey(id: "", at: World.now) == nil)
    }

    @Test func `an identity provider's entry has a sound id and issuer`() throws {
        #expect(throws: Fault(.invalidAppID)) { try provider(id: "idp") }
        for issuer in ["", "http://idp.example", "https://idp.example?x", "idp.example"] {
            #expect(throws: (any Error).self) { try provider(issuer: issuer) }
        }
        #expect(throws: Never.self) { try provider(issuer: "https://idp.example") }
    }
}
