package import Basics

extension ErrorCode {
    /// A child that no longer reads.
    package static let childInputClosed = ErrorCode(
        "child-input-closed", .environment, "The program that was started does not read its input any more.",
        next: "Look at what it wrote to its error output.")
    /// A program that the system would not start.
    package static let programNotStarted = ErrorCode(
        "program-not-started", .environment, "A program that is needed could not be started.",
        next: "Check that it is executable, and that the machine is not out of processes or memory.")

    /// The codes of child processes.
    package static let processes: [ErrorCode] = [.childInputClosed, .programNotStarted]
}
