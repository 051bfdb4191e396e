package import Basics

extension ErrorCode {
    /// A bus other than the home's.
    package static let busMismatch = ErrorCode(
        "bus-mismatch", .environment, "This home is in use on another bus.",
        next: "Leave --bus out, or stop the programs that use the home first.")
    /// Text that cannot be sent over the bus.
    package static let busMessageRefused = ErrorCode(
        "bus-message-refused", .usage, "The bus takes no such name or text.",
        next: "Use a reverse domain name such as com.example.notes, and a URL of at most 64 KiB.")
    /// More apps on their way up than one program may ask for.
    package static let tooManyStarts = ErrorCode(
        "too-many-starts", .environment, "Too many apps are being started at once.",
        next: "Try again when they are there; one that never comes up is given up after 20 seconds.")

    /// The codes of the local bus.
    package static let localBus: [ErrorCode] = [.busMismatch, .busMessageRefused, .tooManyStarts]
}
