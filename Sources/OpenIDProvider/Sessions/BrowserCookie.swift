import Basics
import OpenIDConnect
import Platform

/// What a cookie stands for: one browser, signed in or not.
struct BrowserRecord: Codable, Sendable {
    /// The session that the browser is signed in with.
    var sessionID: String?
    var expires: Timestamp
}

/// The one cookie.
///
/// Its value is random and stored as a hash; it changes at every sign-in.
struct BrowserCookie: Sendable {
    /// The value, known to the browser alone.
    let value: Secret<String>
    /// The key of its record.
    var key: String { storedDigest(value.unmasked) }

    /// A cookie that nobody has yet.
    static func fresh(_ context: ProviderContext) -> BrowserCookie {
        BrowserCookie(value: Secret(context.randomText()))
    }

    /// The cookie that came with a request, where its record is still good.
    static func read(_ request: HTTPRequest, _ context: ProviderContext) throws -> (BrowserCookie, BrowserRecord)? {
        let wanted = name(context)
        let now = context.now
        for header in request.headers.values("Cookie") {
            for pair in header.split(separator: ";") {
                let halves = pair.split(separator: "=", maxSplits: 1)
                guard halves.count == 2, halves[0].trimmingSpaces() == wanted else { continue }
                let cookie = BrowserCookie(value: Secret(halves[1].trimmingSpaces()))
                let record = try context.store.read { try ProviderTables.browsers.find(cookie.key, in: $0) }
                if let record, now < record.expires { return (cookie, record) }
            }
        }
        return nil
    }

    /// The header that gives the cookie to the browser.
    func header(_ context: ProviderContext) -> (name: String, value: String) {
        let secure = BrowserCookie.isSecure(context) ? "; Secure" : ""
        return (
            "Set-Cookie",
            "\(BrowserCookie.name(context))=\(value.unmasked); Path=/; HttpOnly; SameSite=Lax\(secure)"
        )
    }

    /// `__Host-` binds the cookie to https and this host.
    ///
    /// Cookies ignore ports, so on http the name holds the port: two homes of one machine do not overwrite each
    /// other's.
    static func name(_ context: ProviderContext) -> String {
        if isSecure(context) { return "__Host-countersign" }
        let port = context.issuer.authority.split(separator: ":").last.map(String.init) ?? "80"
        return "countersign-\(port.filter { $0.isASCII && $0.isNumber })"
    }

    private static func isSecure(_ context: ProviderContext) -> Bool { context.issuer.text.hasPrefix("https://") }
}
