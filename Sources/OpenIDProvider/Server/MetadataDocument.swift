import Basics
import JOSE
import OpenIDConnect

/// What the provider says of itself (OpenID Connect Discovery §3, RFC 8414 §2): made from the configuration once.
enum MetadataDocument {
    /// Scopes that mean something here.
    static let scopes = ["openid", "profile", "email", "address", "phone", "offline_access", "device_sso"]

    static func json(_ configuration: ProviderConfiguration) -> JSONValue {
        func url(_ endpoint: Endpoint) -> JSONValue { .string(configuration.issuer.url(endpoint.path)) }
        let signing: JSONValue = .array(SignatureAlgorithm.allCases.map { .string($0.rawValue) })
        let authentication: JSONValue = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]
        var members: [String: JSONValue] = [
            "issuer": .string(configuration.issuer.text),
            "authorization_endpoint": url(.authorize),
            "token_endpoint": url(.token),
            "userinfo_endpoint": url(.userInfo),
            "revocation_endpoint": url(.revoke),
            "authorization_challenge_endpoint": url(.challenge),
            "logout_sessions_endpoint": url(.logoutSessions),
            "jwks_uri": url(.keys),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256"],
            "token_endpoint_auth_methods_supported": authentication,
            "token_endpoint_auth_signing_alg_values_supported": signing,
            "revocation_endpoint_auth_methods_supported": authentication,
            "revocation_endpoint_auth_signing_alg_values_supported": signing,
            "request_object_signing_alg_values_supported": signing,
            "request_parameter_supported": true,
            "request_uri_parameter_supported": false,
            "claims_parameter_supported": false,
            "dpop_signing_alg_values_supported": signing,
            "authorization_response_iss_parameter_supported": true,
            "scopes_supported": .array(scopes.map { .string($0) }),
            "claims_supported": .array(ClaimRules.supported.map { .string($0) }),
            "acr_values_supported": .array([.string(Authentication.passwordACR)]),
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "ui_locales_supported": ["en"],
        ]
        if configuration.isTest { members["test"] = true }
        return .object(members)
    }
}
