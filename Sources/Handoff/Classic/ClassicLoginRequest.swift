package import Basics
package import OpenIDConnect

/// The original's `authrequest`: what a classic client says, none of it proved.
///
/// Client id, redirect address and scopes are read to notice a contradiction with the registry, and used for nothing
/// else. `app_name` is never shown, `login_host` and `user_hint` choose nothing.
package struct ClassicLoginRequest: Sendable {
    private static let known = [
        "oauth_client_id", "oauth_redirect_uri", "code_challenge", "scopes", "app_name", "login_host", "user_hint",
        "state",
    ]

    package let clientID: String
    package let redirectURI: String
    package let challenge: CodeChallenge
    package let scopes: [String]
    /// Given back with the answer, where it was sent.
    package let state: String?

    /// - Throws: `classic-malformed` for a field that is missing, unknown or of another form, a hint without exactly one
    ///   colon among them.
    package init(_ url: ClassicURL) throws(Fault) {
        try url.requireOnly(Self.known)
        clientID = try url.required("oauth_client_id")
        redirectURI = try url.required("oauth_redirect_uri")
        do throws(Fault) {
            challenge = try CodeChallenge(try url.required("code_challenge"))
        } catch {
            throw Fault(.classicMalformed, detail: "code_challenge is no SHA-256")
        }
        scopes = url.optional("scopes").map { $0.split(separator: ",").map(String.init) } ?? []
        state = url.optional("state")
        if let hint = url.optional("user_hint") {
            let parts = hint.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
                throw Fault(.classicMalformed, detail: "user_hint is not USER:ORGANISATION")
            }
        }
    }

    /// Refuses a request that contradicts the registry.
    package func check(against entry: ClassicClientEntry) throws(Fault) {
        guard sameBytes(clientID, entry.clientID.text), sameBytes(redirectURI, entry.redirectURI.text) else {
            throw Fault(.classicMismatch, detail: "client id or redirect address")
        }
        // The original asks for `refresh_token` by itself; it gets none.
        let asked = scopes.filter { $0 != "refresh_token" && $0 != "offline_access" }
        guard asked.allSatisfy({ entry.scopes.contains($0) }) else {
            throw Fault(.classicMismatch, detail: "a scope")
        }
    }
}
