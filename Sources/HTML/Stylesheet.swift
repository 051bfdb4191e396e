/// A style sheet that is part of the program, and the hash by which a content security policy knows it.
package struct Stylesheet: Sendable {
    /// The CSS.
    package let text: String
    /// The base64 SHA-256 of the CSS (CSP Level 3 §2.3.1, `sha256-…`).
    package let hash: String

    /// Names a sheet of the program's own.
    ///
    /// A test recomputes the hash.
    package init(_ text: StaticString, sha256 hash: StaticString) {
        self.text = text.description
        self.hash = hash.description
    }
}
