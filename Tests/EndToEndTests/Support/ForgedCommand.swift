import Basics
import JOSE
import LinuxPlatform
import Platform

/// Commands that an attacker with everything but the identity provider's key can make: encrypted to the client as they
/// must be, with all claims right.
struct ForgedCommand {
    let home: LabHome
    let encryptionKey: EncryptionKey
    /// The id of the key that is pinned for the identity provider app.
    let pinnedKeyID: String

    /// Reads the client's encryption key, whose public half is no secret.
    init(in home: LabHome) async throws {
        self.home = home
        let secrets = try await FileSecretStore.open(
            directory: home.layout.secrets(of: LabHome.clientID), environment: .live())
        let bytes = try await secrets.read("key.encryption")?.unmasked ?? []
        await secrets.close()
        let text = Secret(String(decoding: bytes, as: UTF8.self))
        encryptionKey = try DecryptionKey(privateJWK: text).encryptionKey
        pinnedKeyID = try await ForgedCommand.pinnedKeyID(in: home)
    }

    private var claims: [String: JSONValue] {
        let now = Environment.live().now().seconds
        return [
            "iss": .string(LabHome.idpID), "aud": .string(LabHome.clientID),
            "jti": .string(Base64URL.encode(RandomBytes.cryptographic(16))),
            "flow": "8f2b8a52-3a5f-4c0e-9d53-0c4a6f0f9d11", "iat": .integer(now), "exp": .integer(now + 60),
            "command": "idpinit", "ekid": .string(encryptionKey.thumbprint.value), "user_hint": ["username": "bob"],
        ]
    }

    private static func pinnedKeyID(in home: LabHome) async throws -> String {
        let secrets = try await FileSecretStore.open(
            directory: home.layout.secrets(of: LabHome.idpID), environment: .live())
        let bytes = try await secrets.read("key.command")?.unmasked ?? []
        await secrets.close()
        return try SigningKey(privateJWK: Secret(String(decoding: bytes, as: UTF8.self)), algorithm: .es256).keyID
    }

    /// Signed with a key that nobody pinned, under that key's id or under the pinned one's.
    func signedByStranger(claimingPinnedKey: Bool) throws -> String {
        let key = try SigningKey.generate(.es256)
        return try url(
            encrypting: JWS.sign(
                JSONValue.object(claims).serialized(),
                header: ["typ": "idp-command+jwt", "kid": .string(claimingPinnedKey ? pinnedKeyID : key.keyID)],
                by: key))
    }

    /// Not signed at all (`alg: none`).
    func unsigned() throws -> String { try url(encrypting: bareUnsigned) }

    /// Not signed, and not encrypted either.
    func unsignedAndBare() throws -> String { url(bareUnsigned) }

    private var bareUnsigned: String {
        let header: JSONValue = ["alg": "none", "typ": "idp-command+jwt", "kid": .string(pinnedKeyID)]
        return Base64URL.encode(header.serialized()) + "." + Base64URL.encode(JSONValue.object(claims).serialized())
            + "."
    }

    private func url(encrypting inner: String) throws -> String {
        func party(_ id: String) -> JSONValue { .string(Base64URL.encode(Digest.sha256(Array(id.utf8)))) }
        return url(
            try JWE.encrypt(
                Array(inner.utf8),
                header: ["cty": "idp-command+jwt", "apu": party(LabHome.idpID), "apv": party(LabHome.clientID)],
                to: encryptionKey))
    }

    private func url(_ token: String) -> String { "\(LabHome.clientID)://oauth2/v1.0/idpinit?command=\(token)" }
}
