package import Basics
import Handoff
package import JOSE
package import Platform

extension AppManifest.IdentityProvider {
    /// The pin with the identity provider's new keys; as `AppRegistryEntry.rotated`.
    package func rotated(to keys: AppPublicKeys, ends: Timestamp?, now: Timestamp) throws(Fault)
        -> AppManifest.IdentityProvider
    {
        var pin = self
        pin.formerCommandKeys = formerCommandKeys.filter { now < $0.ends + AppRegistryEntry.afterlife }
        if let ends, try JWK(commandKey).thumbprint != keys.command.thumbprint {
            pin.formerCommandKeys.append(AppManifest.FormerKey(key: commandKey, ends: ends))
        }
        pin.commandKey = keys.command.json
        pin.encryptionKey = keys.encryption.json
        return pin
    }

    /// Takes a former command key away; says whether there was one.
    package mutating func revoke(_ key: KeyThumbprint) throws(Fault) -> Bool {
        var kept: [AppManifest.FormerKey] = []
        for former in formerCommandKeys where try JWK(former.key).thumbprint != key { kept.append(former) }
        let wasThere = kept.count < formerCommandKeys.count
        formerCommandKeys = kept
        return wasThere
    }
}
