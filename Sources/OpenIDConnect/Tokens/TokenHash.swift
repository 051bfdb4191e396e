import JOSE

/// The hashes by which an ID token names what came with it: `at_hash`, `c_hash`, `ds_hash`.
package enum TokenHash {
    /// The left half of the SHA-256 of the text, in base64url (OpenID Connect Core §3.1.3.6).
    ///
    /// SHA-256 belongs to ES256, RS256 and PS256.
    package static func leftHalf(_ text: String) -> String {
        Base64URL.encode(Digest.sha256(Array(text.utf8)).prefix(16))
    }
}
