package import Basics

/// The identifier of an authorization server (RFC 8414 §2, OpenID Connect Discovery §3).
///
/// Two issuers are the same when their bytes are: no case folding, no default port, no trailing slash forgiven.
package struct Issuer: TextValue {
    package let text: String
    /// `host` or `host:port`, as the `Host` header has it.
    package let authority: String

    /// - Throws: `invalid-issuer` unless the text is an https URL, or an http one to this machine (`localhost`,
    ///   `127.0.0.1`, `[::1]`), without query, fragment and userinfo.
    package init(_ text: String) throws(Fault) {
        guard let url = AbsoluteURL(text), url.isConfidential, let authority = url.authority, url.host != "",
            url.query == nil, url.fragment == nil, text.hasPrefix(url.scheme)
        else { throw Fault(.invalidIssuer) }
        self.text = text
        self.authority = authority
    }

    /// The address of a path below the issuer: the text without a trailing slash, and the path.
    package func url(_ path: String) -> String {
        (text.hasSuffix("/") ? String(text.dropLast()) : text) + (path.hasPrefix("/") ? path : "/" + path)
    }

    /// Whether the issuer is on this machine and speaks plain http.
    package var isLoopback: Bool { text.hasPrefix("http:") }
}
