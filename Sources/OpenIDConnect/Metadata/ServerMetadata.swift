package import Basics

/// What an authorization server says about itself (RFC 8414 §2, OpenID Connect Discovery §3).
package struct ServerMetadata: Sendable, Hashable {
    /// `issuer`.
    package var issuer: Issuer
    /// `authorization_endpoint`.
    package var authorizationEndpoint: String
    /// `token_endpoint`.
    package var tokenEndpoint: String
    /// `jwks_uri`.
    package var jwksURI: String
    /// `userinfo_endpoint`.
    package var userinfoEndpoint: String?
    /// `revocation_endpoint` (RFC 7009).
    package var revocationEndpoint: String?
    /// `introspection_endpoint` (RFC 7662).
    package var introspectionEndpoint: String?
    /// `authorization_challenge_endpoint` (OAuth 2.0 for First-Party Applications).
    package var authorizationChallengeEndpoint: String?
    /// `pushed_authorization_request_endpoint` (RFC 9126).
    package var pushedAuthorizationRequestEndpoint: String?
    /// `device_authorization_endpoint` (RFC 8628).
    package var deviceAuthorizationEndpoint: String?
    /// `end_session_endpoint` (OpenID Connect RP-Initiated Logout).
    package var endSessionEndpoint: String?
    /// `logout_sessions_endpoint`: where a broker ends a person's sessions (docs/handoff-protocol.md).
    package var logoutSessionsEndpoint: String?
    /// `registration_endpoint` (RFC 7591).
    package var registrationEndpoint: String?
    /// `authorization_response_iss_parameter_supported` (RFC 9207 §3).
    package var sendsIssuerInResponse: Bool
    /// The members that are lists of names, such as `scopes_supported`, by member name.
    package var supported: [Support: [String]]
    /// All other members, as they are.
    package var others: [String: JSONValue]

    package init(
        issuer: Issuer, authorizationEndpoint: String, tokenEndpoint: String, jwksURI: String,
        userinfoEndpoint: String? = nil, revocationEndpoint: String? = nil, introspectionEndpoint: String? = nil,
        authorizationChallengeEndpoint: String? = nil, pushedAuthorizationRequestEndpoint: String? = nil,
        deviceAuthorizationEndpoint: String? = nil, endSessionEndpoint: String? = nil,
        logoutSessionsEndpoint: String? = nil, registrationEndpoint: String? = nil,
        sendsIssuerInResponse: Bool = false, supported: [Support: [String]] = [:], others: [String: JSONValue] = [:]
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.jwksURI = jwksURI
        self.userinfoEndpoint = userinfoEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.introspectionEndpoint = introspectionEndpoint
        self.authorizationChallengeEndpoint = authorizationChallengeEndpoint
        self.pushedAuthorizationRequestEndpoint = pushedAuthorizationRequestEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.endSessionEndpoint = endSessionEndpoint
        self.logoutSessionsEndpoint = logoutSessionsEndpoint
        self.registrationEndpoint = registrationEndpoint
        self.sendsIssuerInResponse = sendsIssuerInResponse
        self.supported = supported
        self.others = others
    }

    /// Whether the server says that it supports that value.
    package func supports(_ value: String, _ support: Support) -> Bool { supported[support]?.contains(value) ?? false }
}

extension ServerMetadata {
    /// One member that is a list of what the server supports; the raw value is its wire name.
    package enum Support: String, Sendable, CaseIterable {
        case scopes = "scopes_supported"
        case responseTypes = "response_types_supported"
        case responseModes = "response_modes_supported"
        case grantTypes = "grant_types_supported"
        case subjectTypes = "subject_types_supported"
        case claims = "claims_supported"
        case prompts = "prompt_values_supported"
        case authenticationContexts = "acr_values_supported"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case idTokenAlgorithms = "id_token_signing_alg_values_supported"
        case userinfoAlgorithms = "userinfo_signing_alg_values_supported"
        case requestObjectAlgorithms = "request_object_signing_alg_values_supported"
        case dpopAlgorithms = "dpop_signing_alg_values_supported"
        case tokenEndpointMethods = "token_endpoint_auth_methods_supported"
        case tokenEndpointAlgorithms = "token_endpoint_auth_signing_alg_values_supported"
        case revocationEndpointMethods = "revocation_endpoint_auth_methods_supported"
        case introspectionEndpointMethods = "introspection_endpoint_auth_methods_supported"
    }
}
