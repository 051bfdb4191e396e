package import Basics
import JOSE
package import Platform
import StrictYAML

/// The manifest of an app as the file `app.yaml`.
package enum ManifestFile {
    private static let maximumBytes = 262_144

    /// Reads the file; `nil` where there is none.
    ///
    /// - Parameter id: the app whose folder it is; a manifest of another app is refused.
    /// - Throws: `invalid-yaml` with file and line; what `PrivateFile` throws.
    package static func read(_ path: String, expecting id: String? = nil) throws(Fault) -> AppManifest? {
        guard let bytes = try PrivateFile(path: path).read(atMost: maximumBytes) else { return nil }
        return try parse(bytes, file: path, expecting: id)
    }

    /// Replaces the file.
    package static func write(_ manifest: AppManifest, to path: String) throws(Fault) {
        try PrivateFile(path: path).write(Array(text(manifest).utf8))
    }

    /// Reads a manifest from YAML or JSON.
    ///
    /// - Throws: `invalid-yaml` with file and line.
    package static func parse(
        _ bytes: [UInt8], file: String, expecting id: String? = nil
    ) throws(Fault) -> AppManifest {
        let root = try YAMLNode(parsing: bytes, file: file)
        try root.expectKeys([
            "id", "name", "role", "schemes", "redirect-uris", "scopes", "domains", "start", "delivery", "opener",
            "groups",
            "identity-providers",
        ])
        let own = try root.required("id")
        let manifest = AppManifest(
            id: try ManifestRules.id(own), displayName: try ManifestRules.name(root.required("name")),
            role: try one(root.required("role")), schemes: try list(root, "schemes", ManifestRules.scheme),
            redirectURIs: try list(root, "redirect-uris", ManifestRules.redirectURI),
            scopes: try list(root, "scopes", ManifestRules.scope),
            domains: try list(root, "domains", ManifestRules.domain),
            start: try list(root, "start", repeating: true, ManifestRules.argument),
            delivery: try one(root["delivery"], or: .any), opener: try opener(root),
            groups: try list(root, "groups", ManifestRules.group),
            identityProviders: try identityProviders(root))
        if let id, manifest.id != id { throw own.refusal("this folder is of the app \(id).") }
        return manifest
    }

    private static func opener(_ root: YAMLNode) throws(Fault) -> [String] {
        let command = try list(root, "opener", repeating: true, ManifestRules.argument)
        if let node = root["opener"], let problem = ManifestOpener.problem(with: command) {
            throw node.refusal(problem)
        }
        return command
    }

    private static func identityProviders(_ root: YAMLNode) throws(Fault) -> [AppManifest.IdentityProvider] {
        var providers: [AppManifest.IdentityProvider] = []
        for node in try root.list(at: "identity-providers") ?? [] {
            let provider = try identityProvider(node)
            guard !providers.contains(where: { $0.id == provider.id }) else {
                throw node.refusal("\(provider.id) stands in the list twice.")
            }
            providers.append(provider)
        }
        return providers
    }

    private static func identityProvider(_ node: YAMLNode) throws(Fault) -> AppManifest.IdentityProvider {
        try node.expectKeys([
            "id", "name", "scheme", "command-key", "former-command-keys", "encryption-key", "issuer", "client-id",
            "switch", "keychain", "concurrency",
        ])
        var provider = AppManifest.IdentityProvider(
            id: try ManifestRules.id(node.required("id")), displayName: try ManifestRules.name(node.required("name")),
            scheme: try ManifestRules.scheme(node.required("scheme")),
            commandKey: try ManifestRules.commandKey(node.required("command-key")),
            encryptionKey: try ManifestRules.encryptionKey(node.required("encryption-key")),
            issuer: try ManifestRules.issuer(node.required("issuer")),
            clientID: try ManifestRules.argument(node.required("client-id")),
            switchRule: try one(node["switch"], or: .ask), allowsKeychain: try node.bool(at: "keychain") ?? true,
            concurrency: try one(node["concurrency"], or: .many))
        for former in try node.list(at: "former-command-keys") ?? [] {
            try former.expectKeys(["key", "until"])
            provider.formerCommandKeys.append(
                AppManifest.FormerKey(
                    key: try ManifestRules.commandKey(former.required("key")),
                    ends: try ManifestRules.instant(former.required("until"))))
        }
        return provider
    }

    /// The elements of a list under a key, each read by its rule; none where the key is missing.
    private static func list(
        _ root: YAMLNode, _ key: String, repeating: Bool = false, _ rule: (YAMLNode) throws(Fault) -> String
    ) throws(Fault) -> [String] {
        var values: [String] = []
        for node in try root.list(at: key) ?? [] {
            let value = try rule(node)
            guard repeating || !values.contains(value) else {
                throw node.refusal("“\(value)” stands in the list twice.")
            }
            values.append(value)
        }
        return values
    }

    private static func one<Word: CaseIterable & RawRepresentable<String>>(
        _ node: YAMLNode?, or usual: Word? = nil
    ) throws(Fault) -> Word {
        if let node {
            let text = try node.asOne(of: Word.allCases.map(\.rawValue))
            if let word = Word(rawValue: text) { return word }
        }
        guard let usual else { throw Fault(.invalidYAML) }
        return usual
    }
}
