package import Basics

/// A set of public keys (RFC 7517 §5).
package struct JWKSet: Sendable, Hashable {
    /// The keys, in the order they came.
    package let keys: [JWK]

    /// Makes a set of keys.
    package init(keys: [JWK]) { self.keys = keys }

    /// Reads a set.
    ///
    /// Keys of a type, curve or use that is not known here are skipped, as RFC 7517 §5 wants.
    ///
    /// - Throws: `exposed-private-key` where any key in it is private, `ambiguous-key-id`, `invalid-key`.
    package init(_ value: JSONValue) throws(Fault) {
        guard case .array(let elements) = value["keys"] else {
            throw Fault(.invalidKey, "A JWK Set is a JSON object with an array “keys” (RFC 7517 §5).")
        }
        var keys: [JWK] = []
        var ids: Set<String> = []
        for element in elements {
            do throws(Fault) {
                let key = try JWK(element)
                if let id = key.keyID, !ids.insert(id).inserted { throw Fault(.ambiguousKeyID) }
                keys.append(key)
            } catch {
                guard error.code == .unsupportedKey else { throw error }
            }
        }
        self.keys = keys
    }

    /// The key with that `kid`.
    package func key(id: String) -> JWK? { keys.first { $0.keyID == id } }

    /// The set as JSON.
    package var json: JSONValue { ["keys": .array(keys.map(\.json))] }
}
