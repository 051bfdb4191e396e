package import Basics
package import Handoff
package import JOSE

extension AppRegistryEntry {
    /// How long a key that has come to its end stays on record, so that the logins it began in time can end: longer
    /// than any of them lives.
    static let afterlife: Duration = .seconds(600)

    /// The row with other keys.
    ///
    /// - Parameters:
    ///   - ends: when the present keys for commands and for OAuth end; `nil` for at once, and with it the logins that it began.
    ///   - now: former keys whose time is over are left out.
    package func rotated(to keys: AppPublicKeys, ends: Timestamp?, now: Timestamp) throws(Fault) -> AppRegistryEntry {
        var row = self
        let present = try JWK(parsing: commandKey)
        var former = (formerCommandKeys ?? []).filter { now < $0.ends + Self.afterlife }
        if let ends, present.thumbprint != keys.command.thumbprint {
            let jwk = present.with(use: .sig, algorithm: commandAlgorithm.rawValue, keyID: present.thumbprint.value)
            former.append(FormerKeyRow(key: jwk.json.serializedText, ends: ends))
        }
        row.formerCommandKeys = former.isEmpty ? nil : former
        var formerOAuth = (formerOAuthKeys ?? []).filter { now < $0.ends + Self.afterlife }
        let presentOAuth = try JWK(parsing: oauthKey)
        if let ends, presentOAuth.thumbprint != keys.oauth.thumbprint {
            let jwk = presentOAuth.with(
                use: .sig, algorithm: oauthAlgorithm.rawValue, keyID: presentOAuth.thumbprint.value)
            formerOAuth.append(FormerKeyRow(key: jwk.json.serializedText, ends: ends))
        }
        row.formerOAuthKeys = formerOAuth.isEmpty ? nil : formerOAuth
        row.commandKey = keys.command.json.serializedText
        row.commandAlgorithm = try SignatureAlgorithm(pinnedWith: keys.command)
        row.encryptionKey = keys.encryption.json.serializedText
        row.oauthKey = keys.oauth.json.serializedText
        row.oauthAlgorithm = try SignatureAlgorithm(pinnedWith: keys.oauth)
        return row
    }

    /// Takes a former key for commands or for OAuth away; says whether there was one.
    package mutating func revoke(_ key: KeyThumbprint) throws(Fault) -> Bool {
        let wasForCommands = try Self.take(key, outOf: &formerCommandKeys)
        let wasForOAuth = try Self.take(key, outOf: &formerOAuthKeys)
        return wasForCommands || wasForOAuth
    }

    private static func take(_ key: KeyThumbprint, outOf rows: inout [FormerKeyRow]?) throws(Fault) -> Bool {
        var kept: [FormerKeyRow] = []
        for row in rows ?? [] where try row.formerKey().key.thumbprint != key { kept.append(row) }
        let wasThere = kept.count < (rows ?? []).count
        rows = kept.isEmpty ? nil : kept
        return wasThere
    }
}
