package import Basics

extension ErrorCode {
    /// A file or folder of the home that others can read or write, or that belongs to someone else.
    package static let unsafePermissions = ErrorCode(
        "unsafe-permissions", .environment, "A file of this home is open to other users.",
        next: "Make it yours alone: chmod -R go= HOME")
    /// Something else stands where a private file or folder should.
    package static let unsafePath = ErrorCode(
        "unsafe-path", .environment, "A link or something else stands where a private file of this home belongs.",
        next: "Look at it, then move it away.")
    /// A file that is longer than any we write.
    package static let fileTooLarge = ErrorCode(
        "file-too-large", .invalidFile, "A file is longer than this program reads.",
        next: "Check that it is the right file.")
    /// A file of the home cannot be read or written.
    package static let fileUnavailable = ErrorCode(
        "file-unavailable", .environment, "A file of this home cannot be read or written.",
        next: "Check that the home is writable and that its disk has room.")
    /// A store that is damaged, or not one of ours.
    package static let storeUnreadable = ErrorCode(
        "store-unreadable", .environment,
        "The file is damaged, or not a store of this program; it is left as it is.",
        next: "Restore it from a copy, or use another home with --home.")
    /// Secrets whose key is missing.
    package static let secretKeyMissing = ErrorCode(
        "secret-key-missing", .environment,
        "This home holds sealed secrets, but not the key that opens them; nothing was changed.",
        next: "Restore the key file from a copy, or use another home with --home.")
    /// A secret that its key does not open.
    package static let secretUnreadable = ErrorCode(
        "secret-unreadable", .environment,
        "A sealed secret does not open with this home's key: wrong key, or a damaged file; it is left as it is.",
        next: "Restore key file and secrets from the same copy, or use another home with --home.")
    /// A member list that its keeper did not sign.
    package static let groupListRefused = ErrorCode(
        "group-list-refused", .refused,
        "The member list of the secret group is missing, damaged, older than one seen before, or not signed by the "
            + "identity provider.",
        next: "Have the identity provider write it again: countersign-idp apps add ID")
    /// A group key that does not fit the list.
    package static let groupKeyRefused = ErrorCode(
        "group-key-refused", .refused, "The key of the secret group is missing, or is not the one its list names.",
        next: "Have the identity provider write it again: countersign-idp apps add ID")
    /// An item that does not fit its own label.
    package static let groupItemRefused = ErrorCode(
        "group-item-refused", .refused, "An item of the secret group was changed by someone without its key.",
        next: "Start the login again.")
    /// A name that cannot name a group or app.
    package static let groupNameRefused = ErrorCode(
        "group-name-refused", .usage,
        "The name of a secret group or app has letters, digits, dots, hyphens and underscores only, at most 100.",
        next: "Choose another name.")

    /// The codes of files, stores and secrets.
    package static let storage: [ErrorCode] = [
        .unsafePermissions, .unsafePath, .fileTooLarge, .fileUnavailable, .storeUnreadable, .secretKeyMissing,
        .secretUnreadable, .groupListRefused, .groupKeyRefused, .groupItemRefused, .groupNameRefused,
    ]
}
