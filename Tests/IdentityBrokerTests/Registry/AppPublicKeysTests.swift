import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import Testing

@Suite struct `The keys of an app that made its own` {
    private let command: SigningKey
    private let encryption: DecryptionKey
    private let oauth: SigningKey

    init() throws {
        command = try SigningKey.generate(.edDSA)
        encryption = try DecryptionKey.generate()
        oauth = try SigningKey.generate(.es256)
    }

    private func set(_ keys: [(kid: String, jwk: JWK)]) -> JSONValue {
        JWKSet(keys: keys.map { $1.with(use: $1.use, algorithm: $1.algorithm, keyID: $0) }).json
    }

    private var all: [(kid: String, jwk: JWK)] {
        [
            ("command", command.verificationKey.jwk), ("encryption", encryption.encryptionKey.jwk),
            ("oauth", oauth.verificationKey.jwk),
        ]
    }

    @Test func `come as a JWK Set whose kids say what each is for, and are pinned with their alg`() throws {
        let keys = try AppPublicKeys(jwks: set(all.reversed()))
        #expect(keys.command.thumbprint == command.thumbprint)
        #expect(keys.command.algorithm == "EdDSA")
        #expect(keys.encryption.thumbprint == encryption.thumbprint)
        #expect(keys.oauth.thumbprint == oauth.thumbprint)
        #expect(keys.oauth.keyID == oauth.thumbprint.value)
    }

    @Test func `may leave use and alg out; then a key for signatures is for ES256`() throws {
        let bare = [
            ("command", oauth.verificationKey.jwk), all[1],
            ("oauth", try SigningKey.generate(.es256).verificationKey.jwk),
        ]
        .map { ($0.0, $0.1.with(use: nil, algorithm: nil, keyID: nil)) }
        #expect(try AppPublicKeys(jwks: set(bare)).command.algorithm == "ES256")
        let curve =
            [("command", command.verificationKey.jwk.with(use: nil, algorithm: nil, keyID: nil))] + all.dropFirst()
        #expect(throws: Fault(.unfitKey)) { try AppPublicKeys(jwks: set(curve)) }
    }

    @Test(arguments: 0..<3) func `are refused when one is missing`(_ index: Int) throws {
        var some = all
        some.remove(at: index)
        #expect(throws: Fault(.incompleteKeySet)) { try AppPublicKeys(jwks: set(some)) }
    }

    @Test func `are refused when a private key is among them`() throws {
        var members = try JSONValue(parsing: try command.privateJWK().unmasked).objectValue ?? [:]
        members["kid"] = "command"
        let exposed: JSONValue = ["keys": .array([.object(members)] + (set(all)["keys"]?.arrayValue ?? []).dropFirst())]
        #expect(throws: Fault(.exposedPrivateKey)) { try AppPublicKeys(jwks: exposed) }
    }

    @Test func `are refused when one is for another use or another algorithm`() throws {
        let swapped = [("command", all[1].jwk), ("encryption", all[0].jwk), all[2]]
        #expect(throws: Fault(.unfitKey)) { try AppPublicKeys(jwks: set(swapped)) }
        let weak = [("command", try SigningKey.generate(.rs256).verificationKey.jwk), all[1], all[2]]
        #expect(throws: Fault(.unfitKey)) { try AppPublicKeys(jwks: set(weak)) }
    }
}
