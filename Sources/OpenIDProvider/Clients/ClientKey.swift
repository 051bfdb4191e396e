package import Basics
package import JOSE
import Synchronization

/// A client's registered public key and the one algorithm it signs with.
package struct ClientKey: Sendable, Hashable {
    /// The key.
    package let jwk: JWK
    /// The algorithm, pinned at registration.
    package let algorithm: SignatureAlgorithm

    /// Registers a key.
    ///
    /// - Throws: `unfit-key` where key and algorithm do not fit.
    package init(_ jwk: JWK, algorithm: SignatureAlgorithm = .es256) throws(Fault) {
        _ = try VerificationKey(jwk, algorithm: algorithm)
        self.jwk = jwk
        self.algorithm = algorithm
    }

    /// The key's thumbprint (RFC 7638).
    package var thumbprint: KeyThumbprint { jwk.thumbprint }
}

extension ClientKey: Codable {
    private enum CodingKeys: String, CodingKey { case jwk, algorithm }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // Fitted when it was registered; fitted again where it is used, by `VerificationKey`.
        jwk = try JWK(try container.decode(JSONText.self, forKey: .jwk).value)
        algorithm = try container.decode(SignatureAlgorithm.self, forKey: .algorithm)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(JSONText(jwk.json), forKey: .jwk)
        try container.encode(algorithm, forKey: .algorithm)
    }
}

/// Keys of clients that have been parsed already.
///
/// A key is found by what it is, so an edit of the registry never meets an old one here.
final class ClientKeyCache: Sendable {
    private let parsed = Mutex<[ClientKey: VerificationKey]>([:])
    private let limit = 1_024

    func key(_ client: ClientKey) throws -> VerificationKey {
        if let known = parsed.withLock({ $0[client] }) { return known }
        let key = try VerificationKey(client.jwk, algorithm: client.algorithm)
        parsed.withLock { parsed in
            if parsed.count >= limit { parsed.removeAll() }
            parsed[client] = key
        }
        return key
    }
}
