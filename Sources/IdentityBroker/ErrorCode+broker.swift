package import Basics

extension ErrorCode {
    package static let unknownClientApp = ErrorCode(
        "unknown-app", .failed, "No such app is registered here.", next: "List them: countersign-idp apps list")
    package static let unregisteredRedirect = ErrorCode(
        "unregistered-redirect", .refused, "The request names a redirect URI that is not registered for the client.",
        next: "Register it: countersign-idp apps change ID --redirect URI")
    package static let unregisteredScope = ErrorCode(
        "unregistered-scope", .refused, "The request names a scope that is not registered for the client.",
        next: "Ask for fewer scopes, or register more: countersign-idp apps change ID --scope-list SCOPES")
    package static let unregisteredHost = ErrorCode(
        "unregistered-host", .refused, "The request names a login host that is not registered for the client.",
        next: "Register it: countersign-idp apps change ID --host HOST")
    package static let unboundRequest = ErrorCode(
        "unbound-request", .refused, "The request does not bind the code to the client's registered key (dpop_jkt).",
        next: "Set dpop_jkt to the thumbprint of the key that is registered for the client.")
    package static let promptRefused = ErrorCode(
        "prompt-refused", .refused, "The client is being asked about, or was refused twice in ten minutes.",
        next: "Answer the open question, or wait ten minutes.")
    package static let noSuchGroup = ErrorCode(
        "no-shared-group", .environment, "The two apps share no secret group, which the keychain variant needs.",
        next: "Make the app a member of one: countersign-idp groups add handoff ID")
    package static let invitationRefused = ErrorCode(
        "invitation-refused", .refused, "The client did not take the invitation.",
        next: "See the client's log for the rule that refused.")
    package static let clientFailed = ErrorCode(
        "client-failed", .failed, "The client's own login failed.", next: "See the client's log.")
    package static let wrongPassword = ErrorCode(
        "wrong-password", .refused, "That user name and password do not match.",
        next: "Try again, or set a new password: countersign-idp users add NAME")

    package static let noUsers = ErrorCode(
        "no-users", .refused, "This home has no user who could sign in.",
        next: "Add one: countersign-idp users add NAME --password-file FILE")

    package static let logoutNeedsSignIn = ErrorCode(
        "logout-needs-sign-in", .refused,
        "Nothing proves to the provider any more whose sessions are to end everywhere.",
        next: "Sign in again, and then log out: countersign-idp login")
    package static let logoutEverywhereUnsupported = ErrorCode(
        "logout-everywhere-unsupported", .refused, "The provider does not end a person's sessions everywhere.",
        next: "Log out on this device: countersign-idp logout --scope device")
    package static let incompleteKeySet = ErrorCode(
        "incomplete-key-set", .invalidFile, "An app has three keys, and this set does not name them all.",
        next: "Give a JWK Set with the kids command, encryption and oauth: countersign-idp help apps add")
    package static let requestForOtherName = ErrorCode(
        "request-for-other-name", .refused, "The certificate request names somebody else than the app.",
        next: "Make it with the subject /CN=ID, where ID is the app's id.")
    package static let requestForOtherKey = ErrorCode(
        "request-for-other-key", .refused, "The certificate request is for another key than the app's command key.",
        next: "Make the request with the private key whose public half is “command” in the JWK Set.")
    package static let otherKeys = ErrorCode(
        "app-has-other-keys", .failed, "The app is registered with other keys, which stay as they are.",
        next: "Change them: countersign-idp apps rotate ID --jwks @FILE")
    package static let appKeepsItsKeys = ErrorCode(
        "app-keeps-its-keys", .failed, "The app made its own keys, and none of them is in this home.",
        next: "Give the public halves of its new ones: countersign-idp apps rotate ID --jwks @FILE")
    package static let keyInUse = ErrorCode(
        "key-in-use", .failed, "That is the key in use; only one that has been replaced is taken away.",
        next: "Replace it at once: countersign-idp keys rotate --overlap 0s")
    package static let noSuchKey = ErrorCode(
        "no-such-key", .failed, "There is no such key, or its time is over.",
        next: "List the keys: countersign-idp keys list")

    /// All codes of this module.
    package static let identityBroker: [ErrorCode] = [
        .unknownClientApp, .unregisteredRedirect, .unregisteredScope, .unregisteredHost, .unboundRequest,
        .promptRefused, .noSuchGroup,
        .invitationRefused, .clientFailed, .wrongPassword, .noUsers, .logoutNeedsSignIn,
        .logoutEverywhereUnsupported, .incompleteKeySet, .requestForOtherName, .requestForOtherKey, .otherKeys,
        .appKeepsItsKeys, .keyInUse, .noSuchKey,
    ]
}
