package import Basics

extension ErrorCode {
    /// A client registration that breaks a rule of the registry.
    package static let invalidClientRegistration = ErrorCode(
        "invalid-client-registration", .usage, "The client registration breaks a rule of the client registry.",
        next: "Change what the text names, and register again: countersign-idp apps add")
    /// No client of that id.
    package static let unknownClient = ErrorCode(
        "unknown-client", .refused, "The client registry has no client with this id.",
        next: "List the clients with: countersign-idp apps list")
    /// No user of that name.
    package static let unknownUser = ErrorCode(
        "unknown-user", .refused, "There is no user with this name.",
        next: "List the users with: countersign-idp users list")
    /// A user name that cannot be stored.
    package static let invalidUserName = ErrorCode(
        "invalid-user-name", .usage, "A user name is 1 to 128 characters without spaces and control characters.",
        next: "Choose another name.")
    /// A key set that does not fit its purpose.
    package static let unfitProviderKeys = ErrorCode(
        "unfit-provider-keys", .environment, "The provider needs one ES256 and one RS256 key to sign with.",
        next: "Restore the home from a copy, or make another: --home DIR")
    /// A request that an OAuth rule refused; the wire carries the OAuth code.
    package static let requestRefused = ErrorCode(
        "request-refused", .refused, "The provider refused a request.",
        next: "Read error and error_description in the answer, or the field detail in the log.")
    /// A code or refresh token came a second time.
    package static let credentialReused = ErrorCode(
        "credential-reused", .refused, "A code or refresh token came a second time, so its whole family was revoked.",
        next: "Sign in again. If it was not you, look in the log for who presented it.")
    /// Too many wrong passwords.
    package static let passwordThrottled = ErrorCode(
        "password-throttled", .refused, "Too many wrong passwords for one user name.",
        next: "Wait ten minutes, then try again.")

    /// All codes of this module.
    package static let openIDProvider: [ErrorCode] = [
        .invalidClientRegistration, .unknownClient, .unknownUser, .invalidUserName, .unfitProviderKeys,
        .requestRefused, .credentialReused, .passwordThrottled,
    ]
}
