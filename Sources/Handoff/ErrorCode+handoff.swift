package import Basics

extension ErrorCode {
    package static let invalidAppID = ErrorCode(
        "invalid-app-id", .usage, "An app id is a reverse domain name, such as com.example.notes.",
        next: "Use two or more elements of letters, digits, - and _, joined by dots.")
    package static let commandTooLarge = ErrorCode(
        "command-too-large", .refused, "A URL command is at most 8 KiB.", next: "Ask for fewer scopes.")
    package static let commandShape = ErrorCode(
        "command-shape", .refused, "The URL has our scheme and path, but not exactly one item named command.",
        next: "Send {scheme}://oauth2/v1.0/{command}?command={token} and nothing else.")
    package static let commandMalformed = ErrorCode(
        "command-malformed", .refused, "The token does not hold a command as docs/handoff-protocol.md has it.",
        next: "Compare the token's claims with the table in docs/handoff-protocol.md.")
    package static let commandNesting = ErrorCode(
        "command-nesting", .refused, "Personal commands are signed and then encrypted; the others are signed only.",
        next: "Encrypt the signed command to the receiver's key, as docs/handoff-protocol.md says.")
    package static let commandHeader = ErrorCode(
        "command-header", .refused, "The signed part's header is exactly typ, alg and kid.",
        next: "Leave out every other member, and set typ to idp-command+jwt.")
    package static let unknownSender = ErrorCode(
        "unknown-sender", .refused, "The sender is not registered here.",
        next: "Register the app: countersign-idp apps add ID")
    package static let unknownKey = ErrorCode(
        "unknown-key", .refused, "The command is signed with a key that is not pinned for its sender.",
        next: "Check that both apps use the same home; keys change by registry edit only.")
    package static let commandSignature = ErrorCode(
        "command-signature", .refused, "The signature does not hold under the key pinned for the sender.",
        next: "Nothing to do: the command was changed or forged. The log has the transport.")
    package static let commandRecipientKey = ErrorCode(
        "command-recipient-key", .refused, "The signed part names another key than the one it was encrypted to.",
        next: "Nothing to do: somebody passed a command on that was meant for another app.")
    package static let commandAudience = ErrorCode(
        "command-audience", .refused, "The command is meant for another app.", next: "Send it to the app that it names."
    )
    package static let commandRole = ErrorCode(
        "command-role", .refused, "An app of this role does not send this command.",
        next: "Compare with the table of directions in docs/handoff-protocol.md.")
    package static let commandLifetime = ErrorCode(
        "command-lifetime", .refused, "A command lives 60 seconds at most.", next: "Set exp at most 60 s after iat.")
    package static let commandExpired = ErrorCode(
        "command-expired", .refused, "The command has expired.", next: "Start again; check the clock if it repeats.")
    package static let commandNotYetValid = ErrorCode(
        "command-not-yet-valid", .refused, "The command was made in the future.", next: "Check the clock.")
    package static let commandReplayed = ErrorCode(
        "command-replayed", .refused, "The command was handled already, and a command is taken once.",
        next: "Start again for a new command.")
    package static let commandLate = ErrorCode(
        "command-late", .refused, "The command came after its login had ended, or had been answered.",
        next: "Nothing changed; log in again if you still want to: countersign-client login")
    package static let commandUncorrelated = ErrorCode(
        "command-uncorrelated", .refused, "The command answers nothing that its sender was asked in this flow.",
        next: "Start again; a command of another app, or one that answers another command, ends here.")
    package static let flowUnknown = ErrorCode(
        "flow-unknown", .refused,
        "This app has no record of the login that the command belongs to: it never began here, or its record was lost.",
        next: "Start again: countersign-client login")
    package static let commandMeaning = ErrorCode(
        "command-meaning", .refused, "A field of the command is missing, unknown or of the wrong kind.",
        next: "Compare the fields with the table in docs/handoff-protocol.md.")
    package static let deliveryRule = ErrorCode(
        "delivery-direct-only", .refused, "The sender is registered for direct delivery, and this came by an opener.",
        next: "Send it from the bus name that is registered for the app.")
    package static let foreignUser = ErrorCode(
        "foreign-user", .refused, "The command came from another user of this machine.",
        next: "Run both apps as the same user.")
    package static let processMismatch = ErrorCode(
        "process-mismatch", .refused, "The sender's process is not the one in its manifest.",
        next: "Check the app's start line in the registry: countersign-idp apps show ID")
    package static let answerIssuerMismatch = ErrorCode(
        "answer-issuer-mismatch", .refused,
        "The answer names another issuer than the one pinned for this identity provider.",
        next: "Compare the two values; the pin is in the app's app.yaml.")
    package static let clientMismatch = ErrorCode(
        "client-mismatch", .refused, "The answer is for another client.", next: "Start again.")
    package static let answerStateMismatch = ErrorCode(
        "answer-state-mismatch", .refused, "The answer's state is not the one that was sent.", next: "Start again.")
    package static let wrongAccount = ErrorCode(
        "wrong-account", .refused, "The answer is for another account than the one that was asked for.",
        next: "Log in again, and choose the account that the app asked for.")
    package static let peerRefused = ErrorCode(
        "peer-refused", .refused, "The other app refused.", next: "See the reason above.")
    package static let peerUnavailable = ErrorCode(
        "peer-unavailable", .environment,
        "The other app cannot take a login now: too many are waiting there, or it cannot reach its provider.",
        next: "Log in again in a moment: countersign-client login")
    package static let peerFailed = ErrorCode(
        "peer-failed", .environment, "The other app met a fault of its own, or was stopped, before it could answer.",
        next: "Log in again: countersign-client login")
    package static let loginInterrupted = ErrorCode(
        "login-interrupted", .environment,
        "The app was stopped while this login was under way, and took it no further.",
        next: "Log in again: countersign-client login")
    package static let loginSuperseded = ErrorCode(
        "login-superseded", .cancelled, "A newer login of this app took the place of this one.",
        next: "Look at the newer login; nothing is left of this one.")
    package static let tooManyFlows = ErrorCode(
        "too-many-flows", .refused, "Too many logins are waiting.", next: "Wait for one to end, or cancel one.")
    package static let alreadyInProgress = ErrorCode(
        "already-in-progress", .refused, "A login is already in progress, and this app allows one at a time.",
        next: "Finish that one first, or end it: countersign-client login --restart")

    package static let classicMalformed = ErrorCode(
        "classic-malformed", .refused, "The URL is in the scheme for classic clients, and not one of their requests.",
        next: "Compare it with the section on classic clients in docs/handoff-protocol.md.")
    package static let classicMismatch = ErrorCode(
        "classic-mismatch", .refused,
        "The classic request names a client, address or scope that is not the registered one.",
        next: "Compare with the registry: countersign-idp apps list")
    package static let classicSender = ErrorCode(
        "classic-sender", .refused,
        "The classic request did not come from the bus name of a registered classic client.",
        next: "Send it from the bus name that is the app's id; an opener will not do.")
    package static let classicUnasked = ErrorCode(
        "classic-unasked", .refused, "A classic client may ask for a login, and nothing else it sends has an effect.",
        next: "Register the app with keys to use the other commands: countersign-idp apps add ID")
    package static let classicBusy = ErrorCode(
        "classic-busy", .refused, "Another classic request is being decided, and there is one at a time.",
        next: "Ask again when that one has ended.")
    package static let classicScheme = ErrorCode(
        "classic-scheme", .usage, "The id or scheme belongs to an app of the other mode; a scheme has one mode.",
        next: "Choose another scheme: countersign-idp apps add ID --scheme SCHEME")

    package static let peerLeft = ErrorCode(
        "peer-left", .environment, "The other app left the bus before it answered.",
        next: "Start it again, and then the login: countersign-idp serve")
    package static let protocolVersion = ErrorCode(
        "protocol-version", .environment, "The other app speaks another version of the protocol.",
        next: "Bring both apps to versions that speak the same one; there is no negotiation.")

    /// All codes of this module.
    package static let handoff: [ErrorCode] = [
        .invalidAppID, .commandTooLarge, .commandShape, .commandMalformed, .commandNesting, .commandHeader,
        .unknownSender, .unknownKey, .commandSignature, .commandRecipientKey, .commandAudience, .commandRole,
        .commandLifetime, .commandExpired, .commandNotYetValid, .commandReplayed, .commandLate, .commandUncorrelated,
        .flowUnknown, .commandMeaning, .deliveryRule, .foreignUser, .processMismatch, .answerIssuerMismatch,
        .clientMismatch,
        .answerStateMismatch, .wrongAccount, .peerRefused, .peerUnavailable, .peerFailed, .loginInterrupted,
        .loginSuperseded, .tooManyFlows, .alreadyInProgress, .peerLeft,
        .classicMalformed, .classicMismatch, .classicSender, .classicUnasked, .classicBusy, .classicScheme,
        .protocolVersion,
    ]
}
