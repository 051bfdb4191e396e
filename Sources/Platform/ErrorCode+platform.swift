package import Basics

extension ErrorCode {
    /// A record that does not decode.
    package static let unreadableRecord = ErrorCode(
        "unreadable-record", .environment, "A stored record cannot be read; it is left as it is.",
        next: "Run a program of the version that wrote it, or restore the home from a copy.")
    /// The store cannot be opened or written.
    package static let storeUnavailable = ErrorCode(
        "store-unavailable", .environment, "The store of this home cannot be opened or written.",
        next: "Check that the home is writable and that its disk has room.")
    /// The store was written by a newer program.
    package static let storeTooNew = ErrorCode(
        "store-too-new", .environment, "The store was written by a newer version of the program.",
        next: "Use that version, or another home with --home.")
    /// There is no bus.
    package static let busUnavailable = ErrorCode(
        "bus-unavailable", .environment, "The local bus cannot be reached.",
        next: "Try --bus private, or check that dbus-daemon is installed.")
    /// Another process owns the app's name.
    package static let busNameTaken = ErrorCode(
        "bus-name-taken", .environment, "Another process already runs as this app on the bus.",
        next: "Use that one, or stop it first.")
    /// Nobody owns the peer's name.
    package static let peerNotRunning = ErrorCode(
        "peer-not-running", .environment, "The other app is not running on this bus.",
        next: "Start it, such as with: countersign-idp serve")
    /// The bus tried to start the peer, and it did not come.
    package static let peerNotStarted = ErrorCode(
        "peer-not-started", .environment, "The bus could not start the other app.",
        next: "Start it by hand to see why; its log in the home (log/APP.jsonl) may say more.")
    /// The server did not answer.
    package static let httpUnreachable = ErrorCode(
        "http-unreachable", .environment, "The server cannot be reached.",
        next: "Check that the provider is running: countersign-idp serve")
    /// The answer took too long.
    package static let httpTimeout = ErrorCode(
        "http-timeout", .timedOut, "The server did not answer in time.", next: "Try again.")
    /// The answer was longer than allowed.
    package static let httpTooLarge = ErrorCode(
        "http-too-large", .failed, "The server's answer is longer than this client takes.",
        next: "Check that the address is the provider's.")
    /// The server's certificate was not accepted.
    package static let tlsRefused = ErrorCode(
        "tls-refused", .refused, "The server's certificate is not one that this client trusts.",
        next: "Give the authority's certificate with --ca-file.")
    /// There is nobody to ask.
    package static let interactionRequired = ErrorCode(
        "interaction-required", .refused, "A person must answer a question, and there is no way to ask here.",
        next: "Run the command in a terminal, or answer ahead with --prompt script:CHOICE.")
    /// Nothing can open a URL.
    package static let noOpener = ErrorCode(
        "no-opener", .environment, "Nothing on this machine can open the address.",
        next: "Open the printed address yourself.")
    /// A program is not installed.
    package static let programMissing = ErrorCode(
        "program-missing", .environment, "A program that is needed is not installed.", next: "Install it: scripts/setup"
    )
    /// An answer after the deadline, or none at all.
    package static let deadlinePassed = ErrorCode(
        "deadline-passed", .timedOut, "Nobody answered before the deadline.",
        next: "Run the command again, with a longer --timeout if needed.")
    /// An app that the secret group does not have.
    package static let notGroupMember = ErrorCode(
        "not-group-member", .refused, "The app is not a member of this secret group.",
        next: "A manifest only asks; make it a member: countersign-idp groups add GROUP APP")
    /// A simulation that a task left.
    package static let simulationEscaped = ErrorCode(
        "simulation-escaped", .internal, "A task left the simulation, so its order is no longer the seed's.",
        next: "Start the work with Environment.spawn, and wait with Environment.sleep.")
    /// A simulation in which nothing can happen any more.
    package static let simulationStalled = ErrorCode(
        "simulation-stalled", .internal, "Nothing in the simulation can go on, and its root has not ended.",
        next: "Look for a wait that nobody ends, or one that Environment does not know of (a clock, a thread).")

    /// All codes of this module.
    package static let platform: [ErrorCode] = [
        .unreadableRecord, .storeUnavailable, .storeTooNew, .busUnavailable, .busNameTaken, .peerNotRunning,
        .peerNotStarted,
        .httpUnreachable, .httpTimeout, .httpTooLarge, .tlsRefused, .interactionRequired, .noOpener, .programMissing,
        .deadlinePassed, .notGroupMember, .simulationEscaped, .simulationStalled,
    ]
}
