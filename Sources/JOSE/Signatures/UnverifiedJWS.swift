package import Basics

/// A signed token whose signature nobody has checked yet (RFC 7515 §3.1).
package struct UnverifiedJWS: Sendable {
    /// The header parameters.
    ///
    /// Hints for finding the key, nothing more.
    package let header: [String: JSONValue]
    /// The token as it came.
    package let compact: String
    /// The payload, which anybody may have written.
    package let unverifiedPayload: [UInt8]

    private let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Throws: `token-too-large`; `malformed-token` unless it is three parts of strict base64url with a strict JSON
    ///   header that has an `alg`; `unsupported-header` for `crit` and `b64`.
    package init(compact: some StringProtocol, maximumBytes: Int = 16_384) throws(Fault) {
        let parts = try CompactParts(Array(compact.utf8), count: 3, maximumBytes: maximumBytes)
        header = parts.header
        unverifiedPayload = parts.rest[0]
        signature = parts.rest[1]
        self.compact = String(compact)
    }

    /// `alg`, as the token claims.
    package var algorithmName: String { header["alg"]?.stringValue ?? "" }

    /// `kid`, as the token claims.
    package var keyID: String? { header["kid"]?.stringValue }

    /// `typ`, as the token claims.
    package var type: String? { header["typ"]?.stringValue }

    /// The payload, where the key's owner signed this token.
    ///
    /// - Throws: `algorithm-not-pinned` where `alg` is not the key's; `bad-signature`.
    package func verified(by key: VerificationKey) throws(Fault) -> [UInt8] {
        guard algorithmName == key.algorithm.rawValue else { throw Fault(.algorithmNotPinned) }
        let text = Array(compact.utf8)
        guard let end = text.lastIndex(of: UInt8(ascii: ".")), key.isValid(signature, for: Array(text[..<end])) else {
            throw Fault(.badSignature)
        }
        return unverifiedPayload
    }
}
