import Basics
import JOSE

/// The rules that the keys of a registry entry keep besides their own.
enum CommandKeys {
    /// Reads a pinned command key.
    static func commandKey(_ jwk: JWK, algorithm: SignatureAlgorithm) throws(Fault) -> VerificationKey {
        guard SignatureAlgorithm.pinnable.contains(algorithm) else {
            throw Fault(
                .unfitKey, "Commands are signed with ES256, EdDSA or PS256, and not with \(algorithm.rawValue).")
        }
        return try VerificationKey(jwk, algorithm: algorithm)
    }

    /// Reads the keys that count for a while yet.
    static func formerKeys(_ rows: [FormerKeyRow]) throws(Fault) -> [FormerKey] {
        var keys: [FormerKey] = []
        for row in rows { keys.append(try row.formerKey()) }
        return keys
    }

    /// Refuses one key for two purposes: what is signed for one could then be shown for the other.
    static func requireDistinct(_ thumbprints: [KeyThumbprint]) throws(Fault) {
        guard Set(thumbprints).count == thumbprints.count else {
            throw Fault(.unfitKey, "One key is given for two purposes; an app has a key for each.")
        }
    }
}
