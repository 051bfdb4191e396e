package import Basics

extension ErrorCode {
    /// Text that is no issuer.
    package static let invalidIssuer = ErrorCode(
        "invalid-issuer", .invalidFile,
        "An issuer is an https URL, or an http one to this machine, without query and fragment (RFC 8414 §2).",
        next: "Copy the issuer as the provider's metadata has it, such as http://localhost:8080.")
    /// Text that is no client id.
    package static let invalidClientID = ErrorCode(
        "invalid-client-id", .failed, "A client_id is 1 to 255 visible ASCII characters (RFC 6749 appendix A.1).",
        next: "Copy the client id from: countersign-idp apps show")
    /// Text that is no subject.
    package static let invalidSubject = ErrorCode(
        "invalid-subject", .refused, "A sub is 1 to 255 visible ASCII characters (OpenID Connect Core §2).",
        next: "Ask the provider for a subject identifier that fits the specification.")
    /// Text that is no state.
    package static let invalidState = ErrorCode(
        "invalid-state", .refused, "A state is 1 to 512 visible ASCII characters (RFC 6749 appendix A.5).",
        next: "Send a state of base64url characters.")
    /// Text that is no nonce.
    package static let invalidNonce = ErrorCode(
        "invalid-nonce", .refused, "A nonce is 1 to 512 visible ASCII characters (OpenID Connect Core §3.1.2.1).",
        next: "Send a nonce of base64url characters.")
    /// Text that is no scope.
    package static let invalidScope = ErrorCode(
        "invalid-scope", .refused,
        "A scope is a list of names with one space between them, in the characters of RFC 6749 §3.3.",
        next: "Write the scope as in: openid profile")
    /// Text that is no redirect URI.
    package static let invalidRedirectURI = ErrorCode(
        "invalid-redirect-uri", .refused,
        "A redirect URI is absolute, without userinfo and fragment: https, http to this machine, or an app's scheme.",
        next: "Use an address such as com.example.app://oauth/done, and register exactly that.")
    /// Text that is no code verifier.
    package static let invalidCodeVerifier = ErrorCode(
        "invalid-code-verifier", .refused, "A code_verifier is 43 to 128 unreserved characters (RFC 7636 §4.1).",
        next: "Make it of 32 random bytes in base64url.")
    /// Text that is no S256 code challenge.
    package static let invalidCodeChallenge = ErrorCode(
        "invalid-code-challenge", .refused,
        "A code_challenge is the base64url of a SHA-256: 43 characters (RFC 7636 §4.2).",
        next: "Send the S256 challenge of the verifier, without padding.")
    /// Text that is no prompt.
    package static let invalidPrompt = ErrorCode(
        "invalid-prompt", .refused,
        "A prompt is none, or a list of login, consent and select_account (OpenID Connect Core §3.1.2.1).",
        next: "Send none alone, or without it.")
    /// A response with neither a code nor an error, or with both.
    package static let invalidResponse = ErrorCode(
        "invalid-authorization-response", .refused,
        "The authorization response is not one code or one error (RFC 6749 §4.1.2).",
        next: "Start the login again.")
    /// A response to another request.
    package static let stateMismatch = ErrorCode(
        "state-mismatch", .refused, "The response's state is not the one that was sent (RFC 6749 §10.12).",
        next: "Start the login again; do not use a link that somebody sent you.")
    /// A response from another server.
    package static let responseIssuerMismatch = ErrorCode(
        "response-issuer-mismatch", .refused,
        "The response's iss is missing or is not the issuer that was asked (RFC 9207 §2.4).",
        next: "Start the login again; if it repeats, the answer comes from another provider than the one asked.")
    /// A token made for another use.
    package static let unexpectedTokenType = ErrorCode(
        "unexpected-token-type", .refused, "The token's typ is that of another use (RFC 8725 §3.11).",
        next: "Have the sender set the typ that the text names.")
    /// A token that could be used twice unseen.
    package static let missingTokenID = ErrorCode(
        "missing-token-id", .refused, "The token has no jti of 1 to 255 visible ASCII characters (RFC 7519 §4.1.7).",
        next: "Have the sender put a fresh random jti in every token.")
    /// A request object for another client.
    package static let requestObjectClient = ErrorCode(
        "request-object-client", .refused,
        "The request object's client_id is missing or is not the client that signed it (RFC 9101 §5).",
        next: "Have the client put its own client_id in the request object, as client_id and as iss.")
    /// A request object whose request does not parse.
    package static let requestObjectParameters = ErrorCode(
        "request-object-parameters", .refused, "The request object holds no valid authorization request (RFC 9101 §4).",
        next: "Have the client fix the parameter that the text names.")
    /// A client assertion about somebody else.
    package static let clientAssertionSubject = ErrorCode(
        "client-assertion-subject", .refused, "The client assertion's iss and sub are not the client (RFC 7523 §3).",
        next: "Have the client put its client_id in both iss and sub.")
    /// A proof without a usable key.
    package static let dpopKey = ErrorCode(
        "dpop-key", .refused, "The DPoP proof has no public key in jwk that fits its alg (RFC 9449 §4.2).",
        next: "Put the public key alone in jwk, and sign with ES256, EdDSA, PS256 or RS256.")
    /// A proof for another method.
    package static let dpopMethod = ErrorCode(
        "dpop-method", .refused, "The DPoP proof is for another HTTP method (htm, RFC 9449 §4.3).",
        next: "Make a proof for each request.")
    /// A proof for another address.
    package static let dpopURL = ErrorCode(
        "dpop-url", .refused, "The DPoP proof is for another address (htu, RFC 9449 §4.3).",
        next: "Set htu to the address of the request, without query and fragment.")
    /// A proof for another access token.
    package static let dpopAccessToken = ErrorCode(
        "dpop-access-token", .refused, "The DPoP proof is not for this access token (ath, RFC 9449 §4.3).",
        next: "Set ath to the base64url of the SHA-256 of the access token.")
    /// Metadata of another issuer.
    package static let issuerMismatch = ErrorCode(
        "issuer-mismatch", .refused,
        "The metadata's issuer is not the issuer that was asked for (RFC 8414 §3.3).",
        next: "Use the issuer exactly as the provider's metadata names it, if that is the provider you mean.")
    /// Metadata that cannot be used.
    package static let invalidMetadata = ErrorCode(
        "invalid-metadata", .refused,
        "The provider's metadata lacks a member or has one of the wrong form (RFC 8414 §2).",
        next: "Check that the address is an OpenID provider's; the text names the member.")
    /// An endpoint where a secret could be read.
    package static let unsafeEndpoint = ErrorCode(
        "unsafe-endpoint", .refused,
        "The metadata names an endpoint that is not https, nor http on the same machine as its issuer.",
        next: "Have the provider serve that endpoint over https.")
    /// A token response that cannot be used.
    package static let invalidTokenResponse = ErrorCode(
        "invalid-token-response", .refused,
        "The token response lacks a member or has one of the wrong form (RFC 6749 §5.1).",
        next: "Check that the address is an OpenID provider's token endpoint; the text names the member.")
    /// An ID token by an unknown key.
    package static let unknownTokenKey = ErrorCode(
        "unknown-token-key", .refused, "The ID token was signed by a key that the provider's key set does not have.",
        next: "Fetch the provider's keys (jwks_uri) again and try once more.")
    /// An ID token by an algorithm that was not agreed, `none` included.
    package static let idTokenAlgorithm = ErrorCode(
        "id-token-algorithm", .refused,
        "The ID token's alg is not one registered for this client (OpenID Connect Core §3.1.3.7, 7).",
        next: "Register the algorithm that the client wants: id_token_signed_response_alg.")
    /// An ID token that was given to another client.
    package static let idTokenAuthorizedParty = ErrorCode(
        "id-token-authorized-party", .refused,
        "The ID token's azp is not this client, or is missing beside several audiences (OpenID Connect Core §3.1.3.7).",
        next: "Ask for an ID token with this client alone as audience.")
    /// An ID token of another login.
    package static let idTokenNonce = ErrorCode(
        "id-token-nonce", .refused,
        "The ID token's nonce is missing or is not the one that was sent (OpenID Connect Core §3.1.3.7, 11).",
        next: "Start the login again; a token of another login was put in its place.")
    /// An ID token beside a foreign access token.
    package static let idTokenAccessTokenHash = ErrorCode(
        "id-token-access-token-hash", .refused,
        "The ID token's at_hash does not fit the access token beside it (OpenID Connect Core §3.1.3.8).",
        next: "Start the login again; the two tokens are not of one answer.")
    /// An ID token for a foreign code.
    package static let idTokenCodeHash = ErrorCode(
        "id-token-code-hash", .refused,
        "The ID token's c_hash does not fit the code it was given for (OpenID Connect Core §3.3.2.10).",
        next: "Start the login again; the token is not of this code.")
    /// An ID token of a login that is too old.
    package static let idTokenAuthTime = ErrorCode(
        "id-token-auth-time", .refused,
        "The ID token's auth_time is missing, in the future or longer ago than max_age allows (OpenID Connect Core §2).",
        next: "Ask for the login again with prompt=login.")
    /// A logout token that tells of something else.
    package static let logoutTokenEvent = ErrorCode(
        "logout-token-event", .refused,
        "The logout token's events lacks the back-channel logout event (OpenID Connect Back-Channel Logout §2.6).",
        next: "Have the provider send a logout token; another security event has no effect here.")
    /// A logout token that could pass for an ID token.
    package static let logoutTokenNonce = ErrorCode(
        "logout-token-nonce", .refused,
        "The logout token has a nonce, which only ID tokens have (OpenID Connect Back-Channel Logout §2.4).",
        next: "Have the provider leave the nonce out of its logout tokens.")
    /// A logout token about nobody, or about somebody else.
    package static let logoutTokenAccount = ErrorCode(
        "logout-token-account", .refused,
        "The logout token names neither sub nor sid, or another account than the one that is to be logged out.",
        next: "Have the provider name the account that it means.")
    /// Userinfo about somebody else.
    package static let userInfoSubject = ErrorCode(
        "userinfo-subject", .refused,
        "The userinfo answer is not about the subject of the ID token (OpenID Connect Core §5.3.2).",
        next: "Start the login again; the answer must not be used.")
    /// A refusal in OAuth's form.
    package static let providerRefused = ErrorCode(
        "provider-refused", .refused, "The provider refused the request.",
        next: "Do what the provider's description says, or look it up in the provider's log.")

    /// All codes of this module.
    package static let openIDConnect: [ErrorCode] = [
        .invalidIssuer, .invalidClientID, .invalidSubject, .invalidState, .invalidNonce, .invalidScope,
        .invalidRedirectURI, .invalidCodeVerifier, .invalidCodeChallenge, .invalidPrompt, .invalidResponse,
        .stateMismatch, .responseIssuerMismatch, .unexpectedTokenType, .missingTokenID, .requestObjectClient,
        .requestObjectParameters, .clientAssertionSubject, .dpopKey, .dpopMethod, .dpopURL, .dpopAccessToken,
        .issuerMismatch, .invalidMetadata, .unsafeEndpoint, .invalidTokenResponse, .unknownTokenKey,
        .idTokenAlgorithm, .idTokenAuthorizedParty, .idTokenNonce, .idTokenAccessTokenHash, .idTokenCodeHash,
        .idTokenAuthTime, .logoutTokenEvent, .logoutTokenNonce, .logoutTokenAccount, .userInfoSubject,
        .providerRefused,
    ]
}
