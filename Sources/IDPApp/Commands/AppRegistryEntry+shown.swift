import Basics
import Handoff
import IdentityBroker
import JOSE
import OpenIDConnect
import Platform

extension AppRegistryEntry {
    /// Keys that were replaced, and until when they count.
    private func json(former rows: [FormerKeyRow]?) -> JSONValue {
        let keys = (rows ?? []).compactMap { row -> JSONValue? in
            guard let key = try? row.formerKey() else { return nil }
            return ["kid": .string(key.key.thumbprint.value), "until": .string(row.ends.description)]
        }
        return .array(keys)
    }

    /// The pinned keys by thumbprint.
    private var keysJSON: JSONValue {
        guard let keys = try? AppPublicKeys(self) else { return .null }
        func pin(_ jwk: JWK, _ algorithm: String) -> JSONValue {
            ["kid": .string(jwk.thumbprint.value), "alg": .string(algorithm)]
        }
        return [
            "command": pin(keys.command, commandAlgorithm.rawValue), "former": json(former: formerCommandKeys),
            "encryption": pin(keys.encryption, "ECDH-ES"),
            "oauth": pin(keys.oauth, oauthAlgorithm.rawValue), "formerOAuth": json(former: formerOAuthKeys),
        ]
    }

    /// The entry as `--json` prints it.
    var json: JSONValue {
        [
            "id": .string(id.text), "name": .string(displayName), "scheme": .string(scheme),
            "clientID": .string(clientID.text), "redirectURIs": .array(redirectURIs.map { .string($0.text) }),
            "scopes": .string(scopes.text), "hosts": .array(hosts.map(JSONValue.string)),
            "consent": .string(consent.rawValue), "delivery": .string(delivery.rawValue),
            "permissions": .array((permissions ?? []).map { .string($0.rawValue) }),
            "keychain": .bool(allowsKeychain), "executable": executable.map(JSONValue.string) ?? .null,
            "groups": .array(secretGroups.map(JSONValue.string)),
            "keys": keysJSON,
        ]
    }
}

extension AppRegistryEntry {
    /// The row in words: who the app is, what it may name, when the person is asked, and its keys.
    var text: String {
        var lines = [
            ("name", displayName), ("scheme", scheme), ("client id", clientID.text),
            ("redirect URIs", redirectURIs.map(\.text).joined(separator: " ")), ("scopes", scopes.text),
            ("hosts", hosts.isEmpty ? "none" : hosts.joined(separator: " ")), ("consent", consent.rawValue),
            ("delivery", delivery.rawValue),
            (
                "permissions",
                (permissions ?? []).isEmpty ? "none" : (permissions ?? []).map(\.rawValue).joined(separator: " ")
            ),
            ("keychain", allowsKeychain ? "yes" : "no"),
            ("groups", secretGroups.isEmpty ? "none" : secretGroups.joined(separator: " ")),
            ("program", executable ?? "any"),
        ]
        if let keys = try? AppPublicKeys(self) {
            lines.append(("command key", "\(keys.command.thumbprint) \(commandAlgorithm.rawValue)"))
            for row in formerCommandKeys ?? [] {
                let kid = (try? row.formerKey().key.thumbprint.value) ?? "?"
                lines.append(("", "\(kid) until \(row.ends)"))
            }
            lines.append(("encryption key", keys.encryption.thumbprint.value))
            lines.append(("OAuth key", "\(keys.oauth.thumbprint) \(oauthAlgorithm.rawValue)"))
            for row in formerOAuthKeys ?? [] {
                let kid = (try? row.formerKey().key.thumbprint.value) ?? "?"
                lines.append(("", "\(kid) until \(row.ends)"))
            }
        }
        let rows = lines.map { name, value in
            "  " + name + String(repeating: " ", count: max(1, 15 - name.count)) + value
        }
        return ([id.text] + rows).joined(separator: "\n")
    }
}

extension AppManifest.IdentityProvider {
    /// What a client pins, as `--json` prints it.
    var json: JSONValue {
        [
            "id": .string(id), "scheme": .string(scheme), "issuer": .string(issuer), "commandKey": commandKey,
            "encryptionKey": encryptionKey,
        ]
    }
}
