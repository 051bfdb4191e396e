package import Platform
import Synchronization

/// The keys of an app as they are now: the secrets are read anew at each use, and parsed once for as long as they stay
/// the same. So keys that were changed count from the next use, in a program that runs as well.
package final class AppKeyring: Sendable {
    private struct Known {
        var stored: StoredKeys
        var keys: AppKeys
    }

    private enum Source: Sendable {
        case secrets(any SecretStore)
        case fixed(AppKeys)
    }

    private let source: Source
    private let known = Mutex<Known?>(nil)

    /// The keys in an app's secrets.
    package init(secrets: any SecretStore) { source = .secrets(secrets) }

    /// Keys that stay as they are.
    package init(always keys: AppKeys) { source = .fixed(keys) }

    /// The keys now.
    ///
    /// - Throws: `app-not-enrolled` when one is missing.
    package func current() async throws -> AppKeys {
        let secrets: any SecretStore
        switch source {
        case .fixed(let keys): return keys
        case .secrets(let store): secrets = store
        }
        let stored = try await StoredKeys.read(from: secrets)
        if let keys = known.withLock({ $0.flatMap { $0.stored == stored ? $0.keys : nil } }) { return keys }
        let keys = try AppKeys(stored)
        known.withLock { $0 = Known(stored: stored, keys: keys) }
        return keys
    }
}
