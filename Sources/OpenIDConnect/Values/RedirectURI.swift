package import Basics

/// Where a response goes back to: `redirect_uri` (RFC 6749 §3.1.2, RFC 8252 §7).
package struct RedirectURI: TextValue {
    /// How a response gets back.
    package enum Kind: String, Sendable {
        /// A claimed https address (RFC 8252 §7.2).
        case https
        /// A port of this machine, opened for one return (RFC 8252 §7.3).
        case loopback
        /// The scheme of an app (RFC 8252 §7.1).
        case privateScheme
    }

    package let text: String
    /// How a response gets back.
    package let kind: Kind
    /// The scheme in lower case; schemes are the same whatever their case (RFC 3986 §3.1).
    package let scheme: String
    /// What all ports of one loopback address have in common.
    private let textWithoutPort: String

    /// The same rules at registration and at login, so that nothing registers that later fails.
    ///
    /// - Throws: `invalid-redirect-uri` unless the text is an absolute URI without userinfo and fragment, even an empty
    ///   one: https, http to this machine, or the scheme of an app.
    package init(_ text: String) throws(Fault) {
        guard let url = AbsoluteURL(text) else {
            throw Fault(.invalidRedirectURI, detail: "not an absolute URI without userinfo")
        }
        guard url.fragment == nil else {
            throw Fault(.invalidRedirectURI, "A redirect URI has no fragment, not even an empty one (RFC 6749 §3.1.2).")
        }
        kind = try RedirectURI.kind(of: url)
        self.text = text
        scheme = url.scheme
        let query = url.query.map { "?\($0)" } ?? ""
        textWithoutPort = "\(text.prefix(scheme.count))://\(url.host ?? "")\(url.path)\(query)"
    }

    /// The one comparison of redirect URIs, for registration, authorization, token and logout: every byte is equal,
    /// except that a loopback address may come with any port (RFC 8252 §7.3).
    ///
    /// `localhost`, `127.0.0.1` and `[::1]` are three addresses.
    package func matches(registered: RedirectURI) -> Bool {
        if text == registered.text { return true }
        return kind == .loopback && registered.kind == .loopback && textWithoutPort == registered.textWithoutPort
    }

    /// Whether a private scheme is one word, such as `spapp`: any app might claim it, so a registry that takes it
    /// warns (RFC 8252 §7.1 asks for a reversed domain name).
    package var hasOneWordScheme: Bool { kind == .privateScheme && !scheme.contains(".") }

    /// The URI with more query fields behind those that it has (RFC 6749 §4.1.2).
    package func adding(query fields: [(String, String)]) -> String {
        guard !fields.isEmpty else { return text }
        let separator = !text.contains("?") ? "?" : text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&"
        return text + separator + FormFields(fields).encoded
    }

    /// Schemes that a browser or desktop runs, shows or sends itself: no app returns by them.
    private static let takenSchemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "intent", "javascript", "mailto", "sms", "tel", "urn", "vbscript",
        "view-source", "ws", "wss",
    ]

    private static func kind(of url: AbsoluteURL) throws(Fault) -> Kind {
        switch url.scheme {
        case "https":
            guard let host = url.host, !host.isEmpty else {
                throw Fault(.invalidRedirectURI, "An https redirect URI names a host.")
            }
            return .https
        case "http":
            guard url.isLoopback else {
                throw Fault(
                    .invalidRedirectURI, "An http redirect URI goes to localhost, 127.0.0.1 or [::1] and nowhere else.",
                    next: "Use https, or a loopback address.")
            }
            return .loopback
        default:
            guard !takenSchemes.contains(url.scheme) else {
                throw Fault(.invalidRedirectURI, "The scheme “\(url.scheme)” belongs to no app.")
            }
            // `app:` alone, or `app://`, is a scheme and not an address to compare.
            guard !(url.host ?? "").isEmpty || !url.path.isEmpty else {
                throw Fault(
                    .invalidRedirectURI, "A redirect URI with an app's scheme has a host or a path too.",
                    next: "Write the whole address, such as com.example.app://oauth/done.")
            }
            return .privateScheme
        }
    }
}
