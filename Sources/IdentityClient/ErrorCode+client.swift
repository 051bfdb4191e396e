package import Basics

extension ErrorCode {
    package static let tooManyArrivals = ErrorCode(
        "too-many-arrivals", .environment, "Too many commands arrived before the app was set up.",
        next: "Send the command again; once the app is set up it takes them as they come.")
    package static let notSetUp = ErrorCode(
        "not-set-up", .failed, "The command arrived before the app was set up, and it has not been since.",
        next: "Start the app (start()), then send the command again.")
    package static let noLoginWaits = ErrorCode(
        "no-login-waits", .failed, "No login waits at that address on this machine.",
        next: "Begin one: countersign-client login --via local")
    package static let returnRefused = ErrorCode(
        "return-refused", .refused, "The login that waits there does not take that address.",
        next: "Paste the whole address at which the browser ended, once.")
    package static let appNotEnrolled = ErrorCode(
        "app-not-enrolled", .environment, "This app has no keys in this home.",
        next: "Register it: countersign-idp apps add ID")
    package static let noIdentityProvider = ErrorCode(
        "no-identity-provider", .environment, "This app knows no identity provider app.",
        next: "Register the app again: countersign-idp apps add ID")
    package static let unknownLoginHost = ErrorCode(
        "unknown-login-host", .refused, "That login host is no provider's that this app knows.",
        next: "Log in without a login host: countersign-client login --via local")
    package static let noCurrentAccount = ErrorCode(
        "no-current-account", .refused, "Nobody is logged in to this app.", next: "Log in: countersign-client login")
    package static let unknownAccount = ErrorCode(
        "unknown-account", .failed, "This app has no such account.",
        next: "List the accounts: countersign-client accounts")
    package static let ambiguousAccount = ErrorCode(
        "ambiguous-account", .failed, "More than one account fits; nothing is guessed.",
        next: "Name it by issuer and subject: countersign-client accounts --json")
    package static let subjectMismatch = ErrorCode(
        "subject-mismatch", .refused, "The ID token names another subject than the hand-off.",
        next: "Start again; nothing was stored.")
    package static let loginRequired = ErrorCode(
        "login-required", .refused, "The identity provider app has no account that it can offer to this app.",
        next: "Sign in there first: countersign-idp login")
    package static let accessDenied = ErrorCode(
        "access-denied", .refused, "The person did not allow it.", next: "Ask again when you want to allow it.")
    package static let cannotBroker = ErrorCode(
        "cannot-broker", .refused, "The identity provider app cannot hand over a login from its provider.",
        next: "Log in locally: countersign-client login --via local")
    package static let sessionEnded = ErrorCode(
        "session-ended", .refused, "The provider ended this login (invalid_grant).",
        next: "Log in again: countersign-client login")
    package static let providerAnswer = ErrorCode(
        "provider-answer", .failed, "The provider's answer is not what its standard says.",
        next: "Check that the issuer is an OpenID provider; the log names the endpoint.")
    package static let excessScope = ErrorCode(
        "excess-scope", .refused, "The provider granted more than was asked for.",
        next: "Start again; nothing was stored, and the tokens are revoked.")
    package static let keychainRefused = ErrorCode(
        "keychain-not-allowed", .refused, "This app does not take codes unasked from that identity provider.",
        next: "Allow it in the app's app.yaml (keychain: true), or use idpinit.")
    package static let slotMissing = ErrorCode(
        "slot-missing", .refused, "The secret group holds nothing for this flow.",
        next: "Start again from the identity provider app.")
    package static let startURLRefused = ErrorCode(
        "start-url-refused", .refused, "The start address is neither https on a registered host nor the app's scheme.",
        next: "Register the host for the app, or leave the address out.")

    package static let noLogin = ErrorCode(
        "command-without-login", .failed, "The command was taken, and it is none that brings a login.",
        next: "Look which accounts are there: countersign-client accounts")
    package static let loggedOut = ErrorCode(
        "logged-out", .refused, "This login has ended: the account is logged out of this app.",
        next: "Log in again: countersign-client login")
    package static let logoutIssuer = ErrorCode(
        "logout-issuer", .refused, "The identity provider app may end logins of its own issuer only.",
        next: "Compare the issuer with the one pinned for that app in app.yaml.")
    package static let notHandedOver = ErrorCode(
        "not-handed-over", .failed,
        "This login did not come from an identity provider app, so none can end it elsewhere.",
        next: "Log out of this app: countersign-client logout")
    package static let logoutNotPermitted = ErrorCode(
        "logout-not-permitted", .refused, "This app may end its own login, and no other app's.",
        next: "Let it: countersign-idp apps change ID --allow logout-device")
    package static let logoutUnproved = ErrorCode(
        "logout-unproved", .refused,
        "A logout everywhere comes with the provider's logout token, and this one has none.",
        next: "Log out on this device alone: countersign-idp logout --scope device")
    package static let notForThisApp = ErrorCode(
        "not-for-this-app", .failed, "The URL is not a command for this app.",
        next: "Check its scheme, host, version and command name.")

    /// All codes of this module.
    package static let identityClient: [ErrorCode] = [
        .tooManyArrivals, .notSetUp, .noLoginWaits, .returnRefused, .appNotEnrolled, .noIdentityProvider,
        .unknownLoginHost, .noCurrentAccount, .unknownAccount, .ambiguousAccount,
        .subjectMismatch, .loginRequired, .accessDenied, .cannotBroker, .sessionEnded, .providerAnswer, .excessScope,
        .keychainRefused, .slotMissing, .startURLRefused,
        .noLogin, .loggedOut, .logoutIssuer, .notHandedOver, .logoutNotPermitted, .logoutUnproved, .notForThisApp,
    ]
}
