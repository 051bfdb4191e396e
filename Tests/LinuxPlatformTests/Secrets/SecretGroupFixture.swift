import Basics
import JOSE
import LinuxPlatform
import Platform

/// A secret group in a folder: an identity provider that keeps it, and apps with keys of their own.
final class SecretGroupFixture: Sendable {
    static let keeperApp = "org.countersign.idp"
    static let noon = Timestamp(seconds: 1_800_000_000)
    static let before = noon - .seconds(1)

    let folder: StorageFolder
    let group = "handoff"
    let environment = Environment.live()
    let signingKey: SigningKey
    let keys: [String: DecryptionKey]

    init(apps: [String] = ["app.one", "app.two", "app.three"]) throws {
        folder = try StorageFolder()
        signingKey = try SigningKey.generate(.es256)
        keys = try Dictionary(
            uniqueKeysWithValues: (apps + [SecretGroupFixture.keeperApp]).map { ($0, try DecryptionKey.generate()) })
    }

    var directory: String { folder.path(of: "groups/\(group)") }

    func path(_ name: String) -> String { "groups/\(group)/\(name)" }

    func key(of app: String) throws -> DecryptionKey {
        guard let key = keys[app] else { throw Fault(.internalFault, "No key for \(app)") }
        return key
    }

    func members(_ apps: String...) throws -> [String: EncryptionKey] {
        try Dictionary(uniqueKeysWithValues: apps.map { ($0, try key(of: $0).encryptionKey) })
    }

    func keeper(
        signingKey: SigningKey? = nil, decryptionKey: DecryptionKey? = nil,
        former: SharedSecretGroupKeeper.FormerKeys = .init()
    ) throws -> SharedSecretGroupKeeper {
        try SharedSecretGroupKeeper(
            directory: directory, group: group, app: SecretGroupFixture.keeperApp,
            signingKey: signingKey ?? self.signingKey,
            decryptionKey: decryptionKey ?? key(of: SecretGroupFixture.keeperApp), former: former,
            environment: environment)
    }

    func open(
        _ app: String, decryptionKey: DecryptionKey? = nil, alsoOpens: [DecryptionKey] = [],
        keeperKey: VerificationKey? = nil, formerKeeperKeys: [VerificationKey] = []
    ) throws -> FileSharedSecretStore {
        try FileSharedSecretStore(
            directory: directory, group: group, app: app,
            decryptionKeys: [decryptionKey ?? key(of: app)] + alsoOpens,
            keeperKeys: [keeperKey ?? signingKey.verificationKey] + formerKeeperKeys)
    }

    func item(_ name: String, for owner: String, _ value: [UInt8] = [7]) -> SharedSecret {
        SharedSecret(name: name, owner: owner, expires: SecretGroupFixture.noon, value: Secret(value))
    }
}
