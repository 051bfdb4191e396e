/// The addresses below the issuer.
package enum Endpoint: String, Sendable, CaseIterable {
    case home = "/"
    case openIDConfiguration = "/.well-known/openid-configuration"
    case serverMetadata = "/.well-known/oauth-authorization-server"
    case keys = "/jwks"
    case authorize = "/authorize"
    case signIn = "/sign-in"
    case consent = "/consent"
    case token = "/token"
    case userInfo = "/userinfo"
    case revoke = "/revoke"
    case challenge = "/authorize-challenge"
    case logoutSessions = "/logout-sessions"

    /// The path, as it stands in a request.
    package var path: String { rawValue }
}
