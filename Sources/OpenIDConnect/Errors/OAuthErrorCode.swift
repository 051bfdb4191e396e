extension OAuthError {
    /// The `error` of a refusal: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, OpenID Connect Core §3.1.2.6, RFC 9449, and
    /// OAuth 2.0 for First-Party Applications.
    package struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package var description: String { rawValue }

        package static let invalidRequest = Code(rawValue: "invalid_request")
        package static let invalidClient = Code(rawValue: "invalid_client")
        package static let invalidGrant = Code(rawValue: "invalid_grant")
        package static let unauthorizedClient = Code(rawValue: "unauthorized_client")
        package static let unsupportedGrantType = Code(rawValue: "unsupported_grant_type")
        package static let invalidScope = Code(rawValue: "invalid_scope")
        package static let accessDenied = Code(rawValue: "access_denied")
        package static let unsupportedResponseType = Code(rawValue: "unsupported_response_type")
        package static let serverError = Code(rawValue: "server_error")
        package static let temporarilyUnavailable = Code(rawValue: "temporarily_unavailable")
        package static let loginRequired = Code(rawValue: "login_required")
        package static let consentRequired = Code(rawValue: "consent_required")
        package static let interactionRequired = Code(rawValue: "interaction_required")
        package static let accountSelectionRequired = Code(rawValue: "account_selection_required")
        package static let invalidRequestObject = Code(rawValue: "invalid_request_object")
        package static let requestNotSupported = Code(rawValue: "request_not_supported")
        package static let requestURINotSupported = Code(rawValue: "request_uri_not_supported")
        package static let invalidDPoPProof = Code(rawValue: "invalid_dpop_proof")
        package static let useDPoPNonce = Code(rawValue: "use_dpop_nonce")
        package static let invalidToken = Code(rawValue: "invalid_token")
        package static let insufficientScope = Code(rawValue: "insufficient_scope")
        package static let insufficientAuthorization = Code(rawValue: "insufficient_authorization")
        package static let redirectToWeb = Code(rawValue: "redirect_to_web")
        package static let invalidRedirectURI = Code(rawValue: "invalid_redirect_uri")

        /// The HTTP status that goes with the code where it is answered as JSON.
        var status: Int {
            switch self {
            case .invalidClient, .invalidToken: 401
            case .insufficientScope, .insufficientAuthorization: 403
            case .serverError: 500
            case .temporarilyUnavailable: 503
            default: 400
            }
        }

        /// Whether the code may be sent to a redirect URI.
        ///
        /// Not where the client or its address is in doubt: that would make an open redirector of the server (RFC 6749
        /// §4.1.2.1).
        var canRedirect: Bool { self != .invalidRedirectURI && self != .invalidClient }
    }
}
