/// The content security policies of our pages (CSP Level 3): nothing but our own style, no framing, no base.
enum ContentSecurityPolicy {
    /// For a page that is served: its forms may lead to this origin and to the given redirect URIs.
    static func served(_ stylesheets: [Stylesheet], formActions: [String]) -> String {
        var targets = ["'self'"]
        for target in formActions.compactMap(source) where !targets.contains(target) { targets.append(target) }
        return [
            "default-src 'none'", style(stylesheets), "form-action \(targets.joined(separator: " "))",
            "frame-ancestors 'none'", "base-uri 'none'",
        ].joined(separator: "; ")
    }

    /// For a file: no forms at all.
    ///
    /// `frame-ancestors` has no effect in a document, so it is not said.
    static func standalone(_ stylesheets: [Stylesheet]) -> String {
        ["default-src 'none'", style(stylesheets), "form-action 'none'", "base-uri 'none'"].joined(separator: "; ")
    }

    private static func style(_ stylesheets: [Stylesheet]) -> String {
        guard !stylesheets.isEmpty else { return "style-src 'none'" }
        return "style-src " + stylesheets.map { "'sha256-\($0.hash)'" }.joined(separator: " ")
    }

    /// The source expression for a redirect URI (CSP Level 3 §2.3.1), or nil for what is none.
    ///
    /// A web address gives its origin, any other its scheme. The grammar has no IPv6 host, so `[::1]` gives the scheme.
    /// What could end the directive, such as a semicolon, is not matched and so never copied.
    static func source(_ uri: String) -> String? {
        guard let match = uri.prefixMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*):/) else { return nil }
        let scheme = match.1.lowercased()
        guard !refusedSchemes.contains(scheme) else { return nil }
        guard scheme == "http" || scheme == "https" else { return "\(scheme):" }
        let rest = uri[match.range.upperBound...]
        if let web = rest.prefixMatch(of: /\/\/([A-Za-z0-9.\-]+)(:[0-9]{1,5})?(?=[\/?#]|$)/) {
            return "\(scheme)://\(web.1.lowercased())\(web.2 ?? "")"
        }
        return rest.prefixMatch(of: /\/\/\[::1\](:[0-9]{1,5})?(?=[\/?#]|$)/) == nil ? nil : "\(scheme):"
    }

    /// Schemes that name no app, and that would widen the policy.
    private static let refusedSchemes: Set<String> = ["javascript", "data", "blob", "filesystem", "file", "about"]
}

extension Stylesheet {
    /// The style element.
    ///
    /// The sheet is the program's own, and its text must not be escaped: the hash is of these bytes.
    var element: Markup { "<style>\(Markup(stylesheet: self))</style>" }
}
