package import Basics

extension ErrorCode {
    /// Nothing has been set up in the folder.
    package static let homeMissing = ErrorCode(
        "home-missing", .environment, "There is no home in this folder.",
        next: "Set one up with: countersign-idp serve")
    /// The home was written by a newer program.
    package static let homeTooNew = ErrorCode(
        "home-too-new", .environment, "The home was written by a newer version of the program; it is left as it is.",
        next: "Use that version, or another home with --home.")
    /// The folder has other content.
    package static let homeNotOurs = ErrorCode(
        "home-not-ours", .environment, "The folder holds other things and no home, so none is made in it.",
        next: "Choose an empty or new folder with --home.")
    /// One of the keys that were made with the home is not there.
    package static let homeIncomplete = ErrorCode(
        "home-incomplete", .environment, "The home lacks a file or key that was made with it; nothing was changed.",
        next: "Restore the home from a copy, or use another with --home.")
    /// Another process sets the home up, or uses it.
    package static let homeBusy = ErrorCode(
        "home-busy", .environment, "Other programs use this home now.", next: "Stop them first, then try again.")
    /// An address that a home may not have.
    package static let addressRefused = ErrorCode(
        "address-refused", .usage,
        "A home's address is a plain origin, and anything but this machine's loopback must be https.",
        next: "Give one such as --public-url https://idp.example, or leave it out.")
    /// Options that differ from how the home was made.
    package static let issuerFixed = ErrorCode(
        "issuer-fixed", .usage, "The issuer was fixed when the home was made, and these options would change it.",
        next: "Leave the options out, or make another home: --home DIR")
    /// No port below the ephemeral range is free.
    package static let noFreePort = ErrorCode(
        "no-free-port", .environment, "No free port was found below the range that the system gives out.",
        next: "Name one with --listen 127.0.0.1:PORT")
    /// An app that the home does not have.
    package static let appMissing = ErrorCode(
        "app-missing", .environment, "The app is not enrolled in this home.",
        next: "Enrol it with: countersign-idp apps add ID --scheme SCHEME")

    /// The codes of homes.
    package static let home: [ErrorCode] = [
        .homeMissing, .homeTooNew, .homeNotOurs, .homeIncomplete, .homeBusy, .addressRefused, .issuerFixed, .noFreePort,
        .appMissing,
    ]
}
