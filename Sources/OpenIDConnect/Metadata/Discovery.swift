/// Where a server's metadata is.
package enum Discovery {
    /// Below the issuer (OpenID Connect Discovery §4).
    package static let openIDConfigurationPath = "/.well-known/openid-configuration"
    /// Between host and path of the issuer (RFC 8414 §3).
    package static let authorizationServerPath = "/.well-known/oauth-authorization-server"

    /// The address of the metadata by OpenID Connect Discovery §4.
    package static func openIDConfigurationURL(of issuer: Issuer) -> String { issuer.url(openIDConfigurationPath) }

    /// The address of the metadata by RFC 8414 §3.
    package static func authorizationServerURL(of issuer: Issuer) -> String {
        let origin = (issuer.isLoopback ? "http://" : "https://") + issuer.authority
        let path = issuer.text.dropFirst(origin.count)
        return origin + authorizationServerPath + (path == "/" ? "" : path)
    }
}
