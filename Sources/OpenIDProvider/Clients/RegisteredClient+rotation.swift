package import Basics
import JOSE
import OpenIDConnect

/// A client's key that was replaced. Until its end it signs request objects and proves what is bound to it; after that,
/// what is bound to it is worth nothing.
package struct FormerClientKey: Codable, Sendable, Hashable {
    package var key: ClientKey
    /// The first moment at which it counts no more.
    package var ends: Timestamp

    package init(_ key: ClientKey, ends: Timestamp) {
        self.key = key
        self.ends = ends
    }
}

extension RegisteredClient {
    /// How long a key that has come to its end stays on record: longer than any refresh token that is bound to it.
    private static let afterlife: Duration = .seconds(90 * 86_400)

    /// The row with another key.
    ///
    /// - Parameters:
    ///   - ends: when the present one ends; `nil` for at once, and with it the grants that came by it.
    ///   - now: former keys that nothing is bound to any more are left out.
    package func rotated(to key: ClientKey, ends: Timestamp?, now: Timestamp) -> RegisteredClient {
        guard let present = requestObjectKey, present != key else { return self }
        var client = self
        client.requestObjectKey = key
        // One that comes back is no former key.
        var former = (formerKeys ?? []).filter { now < $0.ends + Self.afterlife && $0.key != key }
        if let ends { former.append(FormerClientKey(present, ends: ends)) }
        client.formerKeys = former.isEmpty ? nil : former
        return client
    }

    /// The row without the overlap of a former key: it has ended now.
    func revoking(_ key: KeyThumbprint, now: Timestamp) -> RegisteredClient {
        var client = self
        client.formerKeys = formerKeys?.map { former in
            former.key.thumbprint == key ? FormerClientKey(former.key, ends: min(now, former.ends)) : former
        }
        return client
    }

    /// The key that a request object names: a former one until its end, else the one in use.
    func requestObjectKey(named keyID: String?, at now: Timestamp) -> ClientKey? {
        formerKeys?.first { $0.key.thumbprint.value == keyID && now < $0.ends }?.key ?? requestObjectKey
    }

    /// Whether a key was replaced and has come to its end.
    func hasRetired(_ key: KeyThumbprint?, at now: Timestamp) -> Bool {
        guard let key else { return false }
        return formerKeys?.contains { $0.key.thumbprint == key && $0.ends <= now } ?? false
    }
}
