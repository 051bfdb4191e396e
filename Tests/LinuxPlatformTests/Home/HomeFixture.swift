import Basics
import FoundationEssentials
import Glibc
import JOSE
import LinuxPlatform
import Platform

/// A folder for homes and their list, gone with its last holder.
final class HomeFixture: Sendable {
    let root: String
    let environment = Environment.live()

    init() throws {
        var template = Array("/tmp/countersign-home-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Fault(.internalFault, "no temporary folder") }
        root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    var path: String { root + "/home" }
    /// What programs of this fixture see; sockets and the default home stay in its folder.
    var variables: [String: String] { ["XDG_STATE_HOME": root + "/state", "XDG_RUNTIME_DIR": root] }
    var list: HomeList { HomeList(variables: variables) }

    func make(_ settings: HomeSettings = HomeSettings(), at path: String? = nil) async throws -> Home {
        try await Home.openOrCreate(
            at: path ?? self.path, isDefault: false, settings: settings, environment: environment, list: list)
    }

    func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func write(_ text: String, to path: String) throws { try PrivateFile(path: path).write(Array(text.utf8)) }

    /// The paths of everything under the folder, with their modes.
    func modes(under path: String) throws -> [String: mode_t] {
        var modes: [String: mode_t] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) + [""] {
            var status = stat()
            lstat(path + "/" + name, &status)
            modes[name] = status.st_mode & 0o7777
        }
        return modes
    }

    /// The keys of an app as its secrets hold them.
    func enrol(_ manifest: AppManifest, in home: Home) async throws -> (command: SigningKey, encryption: DecryptionKey)
    {
        let keys = (command: try SigningKey.generate(.es256), encryption: try DecryptionKey.generate())
        try home.write(manifest)
        let secrets = try await FileSecretStore.open(
            directory: home.layout.secrets(of: manifest.id), environment: environment)
        try await secrets.write("key.command", Secret(Array(try keys.command.privateJWK().unmasked.utf8)))
        try await secrets.write("key.encryption", Secret(Array(try keys.encryption.privateJWK().unmasked.utf8)))
        await secrets.close()
        return keys
    }

    static func client(
        _ id: String = "com.example.notes", groups: [String] = [], trusting provider: (SigningKey, DecryptionKey)? = nil
    ) throws -> AppManifest {
        let (command, encryption) = try provider ?? (SigningKey.generate(.es256), DecryptionKey.generate())
        return AppManifest(
            id: id, displayName: "Notes", role: .client, schemes: ["example-notes"],
            redirectURIs: ["example-notes://oauth/done"], scopes: ["openid"], groups: groups,
            identityProviders: [
                AppManifest.IdentityProvider(
                    id: "org.countersign.idp", displayName: "Countersign", scheme: "countersign-idp",
                    commandKey: command.verificationKey.jwk.json, encryptionKey: encryption.encryptionKey.jwk.json,
                    issuer: "http://localhost:4711", clientID: "notes")
            ])
    }
}
