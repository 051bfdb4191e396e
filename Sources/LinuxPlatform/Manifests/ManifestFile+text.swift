import Basics
package import Platform
import StrictYAML

extension ManifestFile {
    /// The manifest as YAML; reading it gives an equal one.
    package static func text(_ manifest: AppManifest) -> String {
        var pairs: [(key: String, value: YAMLWriter.Value)] = [
            ("id", .text(manifest.id)), ("name", .text(manifest.displayName)), ("role", .text(manifest.role.rawValue)),
        ]
        // What is empty or usual is left out, so that the file shows what is special about the app.
        func add(_ key: String, _ texts: [String]) {
            if !texts.isEmpty { pairs.append((key, .list(texts.map { .text($0) }))) }
        }
        add("schemes", manifest.schemes)
        add("redirect-uris", manifest.redirectURIs)
        add("scopes", manifest.scopes)
        add("domains", manifest.domains)
        add("start", manifest.start)
        pairs.append(("delivery", .text(manifest.delivery.rawValue)))
        add("opener", manifest.opener)
        add("groups", manifest.groups)
        if !manifest.identityProviders.isEmpty {
            pairs.append(("identity-providers", .list(manifest.identityProviders.map(value))))
        }
        return YAMLWriter.text(.mapping(pairs))
    }

    private static func value(_ provider: AppManifest.IdentityProvider) -> YAMLWriter.Value {
        var pairs: [(key: String, value: YAMLWriter.Value)] = [
            ("id", .text(provider.id)), ("name", .text(provider.displayName)), ("scheme", .text(provider.scheme)),
            ("command-key", value(provider.commandKey)),
        ]
        if !provider.formerCommandKeys.isEmpty {
            let keys = provider.formerCommandKeys.map { former in
                YAMLWriter.Value.mapping([
                    ("key", value(former.key)), ("until", .text(former.ends.description)),
                ])
            }
            pairs.append(("former-command-keys", .list(keys)))
        }
        pairs += [
            ("encryption-key", value(provider.encryptionKey)),
            ("issuer", .text(provider.issuer)), ("client-id", .text(provider.clientID)),
            ("switch", .text(provider.switchRule.rawValue)), ("keychain", .bool(provider.allowsKeychain)),
            ("concurrency", .text(provider.concurrency.rawValue)),
        ]
        return .mapping(pairs)
    }

    /// A JWK; members that YAML has no plain form for stand as JSON text in place of the mapping.
    private static func value(_ key: JSONValue) -> YAMLWriter.Value {
        guard let members = key.objectValue, members.values.allSatisfy({ $0.stringValue != nil }) else {
            return .text(key.serializedText)
        }
        return .mapping(members.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value.stringValue ?? "")) })
    }
}
