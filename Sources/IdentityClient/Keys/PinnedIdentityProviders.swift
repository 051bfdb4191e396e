package import Basics
package import Handoff
package import Platform
import Synchronization

/// The identity provider apps that the manifest pins, with their keys ready for use: the manifest is read anew each time,
/// and its keys are parsed once for as long as the pins stay the same.
final class PinnedIdentityProviders: Sendable {
    private struct Known {
        var pins: [AppManifest.IdentityProvider]
        var entries: [IdentityProviderEntry]
    }

    private let first: AppManifest
    private let read: (@Sendable () throws -> AppManifest)?
    private let known = Mutex<Known?>(nil)

    init(_ surroundings: Surroundings) {
        first = surroundings.manifest
        read = surroundings.readManifest
    }

    /// The identity providers as they are pinned now.
    func current() throws -> [IdentityProviderEntry] {
        let pins = try (read?() ?? first).identityProviders
        if let entries = known.withLock({ $0.flatMap { $0.pins == pins ? $0.entries : nil } }) { return entries }
        let entries = try pins.map(IdentityProviderEntry.init(manifest:))
        known.withLock { $0 = Known(pins: pins, entries: entries) }
        return entries
    }
}

extension IdentityProviderEntry {
    package init(manifest entry: AppManifest.IdentityProvider) throws(Fault) {
        try self.init(
            id: entry.id, displayName: entry.displayName, scheme: entry.scheme, commandKey: entry.commandKey,
            formerCommandKeys: entry.formerCommandKeys.map {
                FormerKeyRow(key: $0.key.serializedText, ends: $0.ends)
            },
            encryptionKey: entry.encryptionKey, issuer: entry.issuer, clientID: entry.clientID,
            switchesSilently: entry.switchRule == .silent, allowsKeychain: entry.allowsKeychain,
            isSingleFlow: entry.concurrency == .one)
    }
}
