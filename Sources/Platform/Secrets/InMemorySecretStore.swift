package import Basics
import Synchronization

/// Secrets in memory. They live as long as the store, whatever happens to its user.
package final class InMemorySecretStore: SecretStore {
    private let secrets = Mutex<[String: Secret<[UInt8]>]>([:])

    package init() {}

    package func read(_ name: String) async throws -> Secret<[UInt8]>? {
        await Task.yield()
        return secrets.withLock { $0[name] }
    }

    package func write(_ name: String, _ value: Secret<[UInt8]>) async throws {
        await Task.yield()
        secrets.withLock { $0[name] = value }
        await Task.yield()
    }

    @discardableResult
    package func remove(_ name: String) async throws -> Bool {
        await Task.yield()
        let removed = secrets.withLock { $0.removeValue(forKey: name) != nil }
        await Task.yield()
        return removed
    }

    package func names() async throws -> [String] { secrets.withLock { $0.keys.sorted() } }
}
