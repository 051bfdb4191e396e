import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import Testing

@Suite struct `An enrolment` {
    private func enrol(_ change: (inout AppEnrolment.Description) -> Void = { _ in }) throws -> (AppEnrolment, AppKeys)
    {
        var app = try AppEnrolment.Description(id: try AppID("org.example.notes"), displayName: "Notes")
        change(&app)
        let idp = try AppKeys.generate { [UInt8](repeating: 1, count: $0) }
        let own = AppPublicKeys(try AppKeys.generate { [UInt8](repeating: 2, count: $0) })
        let enrolment = try AppEnrolment(
            of: app, keys: own, identityProvider: AppEnrolment.identityProviderManifest(start: []),
            identityProviderKeys: AppPublicKeys(idp),
            issuer: try Issuer("http://localhost:8123"))
        return (enrolment, idp)
    }

    @Test func `pins the identity provider app's public keys in the manifest, and the client's in the registry`() throws
    {
        let (enrolment, idp) = try enrol()
        let pin = try #require(enrolment.manifest.identityProviders.first)
        #expect(try JWK(pin.commandKey).thumbprint == idp.command.thumbprint)
        #expect(try JWK(pin.encryptionKey).thumbprint == idp.encryption.encryptionKey.thumbprint)
        #expect(pin.issuer == "http://localhost:8123")
        let client = try enrolment.entry.registeredClient()
        #expect(client.oauthKey.thumbprint == enrolment.keys.oauth.thumbprint)
        #expect(client.peer.commandKey(id: enrolment.keys.command.thumbprint.value, at: Timestamp(seconds: 0)) != nil)
        #expect(client.peer.encryptionKey.thumbprint == enrolment.keys.encryption.thumbprint)
    }

    @Test func `puts no private key into manifest or registry`() throws {
        let (enrolment, _) = try enrol()
        let pin = try #require(enrolment.manifest.identityProviders.first)
        for key in [pin.commandKey, pin.encryptionKey] { #expect(key["d"] == nil) }
        for text in [enrolment.entry.commandKey, enrolment.entry.encryptionKey, enrolment.entry.oauthKey] {
            #expect(try JSONValue(parsing: text)["d"] == nil)
        }
    }

    @Test func `exports the app's three private keys with use, algorithm and kid, and not what seals its records`()
        throws
    {
        let own = try AppKeys.generate { [UInt8](repeating: 2, count: $0) }
        let text = try own.exported()
        let keys = try JSONValue(parsing: text.unmasked)
        #expect(keys.objectValue.map { Set($0.keys) } == ["schemaVersion", "command", "encryption", "oauth"])
        let known = AppPublicKeys(own)
        for (name, known) in [
            ("command", known.command), ("encryption", known.encryption), ("oauth", known.oauth),
        ] {
            let key = try #require(keys[name]?.objectValue)
            #expect(key["d"]?.stringValue?.isEmpty == false)
            #expect(JSONValue.object(key.filter { $0.key != "d" }) == known.json)
            #expect(key["kid"]?.stringValue == known.thumbprint.value)
        }
        let command = Secret(try #require(keys["command"]).serializedText)
        #expect(try SigningKey(privateJWK: command, algorithm: .es256).keyID == own.command.keyID)
        let encryption = Secret(try #require(keys["encryption"]).serializedText)
        #expect(try DecryptionKey(privateJWK: encryption).thumbprint == own.encryption.thumbprint)
        #expect("\(text)" != text.unmasked)
    }

    @Test func `gives redirect URIs that are never taken for a command, the app's own scheme first`() throws {
        let (enrolment, _) = try enrol()
        let first = try #require(enrolment.manifest.redirectURIs.first)
        #expect(first.hasPrefix("org.example.notes:"))
        for uri in enrolment.manifest.redirectURIs {
            #expect(!CommandURL.isClaimed("\(uri)?code=x", schemes: enrolment.manifest.schemes))
        }
        #expect(enrolment.manifest.redirectURIs == enrolment.entry.redirectURIs.map(\.text))
        #expect(enrolment.manifest.redirectURIs.contains("http://127.0.0.1/callback"))
    }

    @Test func `without a group takes part in no keychain hand-off`() throws {
        #expect(try enrol().0.entry.allowsKeychain)
        let (enrolment, _) = try enrol { $0.groups = [] }
        #expect(!enrolment.entry.allowsKeychain)
        #expect(enrolment.manifest.identityProviders.first?.allowsKeychain == false)
    }
}
