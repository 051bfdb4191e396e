package import Basics

extension ErrorCode {
    /// A path that a desktop entry would have to quote.
    package static let desktopPathRefused = ErrorCode(
        "desktop-path-refused", .usage, "A desktop entry would have to quote the path, which some openers get wrong.",
        next: "Use a path of letters, digits and / . _ - only; a link to the program or to the home will do.")
    /// A desktop entry of that name that is not this home's.
    package static let desktopEntryTaken = ErrorCode(
        "desktop-entry-taken", .failed, "The desktop has an entry of that name that is not this home's.",
        next: "Uninstall that one first: countersign-client apps uninstall --home DIR")
    /// An app without a program that could be started.
    package static let notStartable = ErrorCode(
        "app-not-startable", .failed, "It is not known which program the app is.",
        next: "Say so: countersign-idp apps add ID --exec PATH")
    /// A text that is no scheme.
    package static let schemeRefused = ErrorCode(
        "scheme-refused", .usage, "That is no scheme that an app can have.",
        next: "Give the scheme alone, such as --scheme com.example.notes")
    /// A scheme that another app has.
    package static let schemeTaken = ErrorCode(
        "scheme-taken", .refused, "Another app of this home claims that scheme.",
        next: "Choose another, or say who opens its URLs: --conflict first, --conflict newest or --conflict ask")

    /// The codes of what is installed in a desktop.
    package static let desktop: [ErrorCode] = [
        .desktopPathRefused, .desktopEntryTaken, .notStartable, .schemeRefused, .schemeTaken,
    ]
}
