package import Basics
import JOSE

/// The public half of PKCE: `code_challenge`, by the method S256 and no other (RFC 7636 §4.2, RFC 9700 §2.1.1).
package struct CodeChallenge: TextValue {
    package let text: String

    /// - Throws: `invalid-code-challenge` unless the text is the base64url of 32 bytes.
    package init(_ text: String) throws(Fault) {
        guard let bytes = try? Base64URL.decode(text), bytes.count == 32 else { throw Fault(.invalidCodeChallenge) }
        self.text = text
    }

    init(of verifier: CodeVerifier) { text = Base64URL.encode(Digest.sha256(Array(verifier.text.unmasked.utf8))) }

    /// Whether the verifier is the one behind this challenge (RFC 7636 §4.6); compared in constant time.
    package func matches(_ verifier: CodeVerifier) -> Bool { constantTimeEqual(text, verifier.challenge.text) }
}
