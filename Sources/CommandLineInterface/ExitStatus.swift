package import Basics

/// How a program ends.
///
/// The numbers are part of the product's interface.
package struct ExitStatus: Hashable, Sendable {
    /// What the process returns.
    package let code: Int32

    private init(_ code: Int32) { self.code = code }

    package static let done = ExitStatus(0)
    package static let failed = ExitStatus(1)
    package static let usage = ExitStatus(2)
    package static let invalidFile = ExitStatus(3)
    package static let refused = ExitStatus(4)
    package static let environment = ExitStatus(5)
    package static let breach = ExitStatus(6)
    package static let timedOut = ExitStatus(8)
    package static let cancelled = ExitStatus(9)
    package static let internalFault = ExitStatus(70)
    /// Ended by an interrupt (SIGINT).
    package static let interrupted = ExitStatus(130)
    /// Ended by a request to terminate (SIGTERM), after a clean drain as well.
    package static let terminated = ExitStatus(143)

    /// The status for a kind of failure.
    package init(_ kind: ErrorCode.Kind) {
        self =
            switch kind {
            case .failed: .failed
            case .usage: .usage
            case .invalidFile: .invalidFile
            case .refused: .refused
            case .environment: .environment
            case .breach: .breach
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .internal: .internalFault
            }
    }

    /// Every status with its meaning, as `help exit-codes` lists them.
    package static let all: [(status: ExitStatus, meaning: String)] = [
        (.done, "Done."),
        (.failed, "An expectation or an operation failed."),
        (.usage, "The command line is wrong."),
        (.invalidFile, "A file or script is not valid."),
        (.refused, "Authentication is required, was denied or was refused."),
        (.environment, "A port, bus, store, peer or tool is not there."),
        (.breach, "An attack worked against the default defences, or an invariant broke."),
        (.timedOut, "Nothing happened before the deadline."),
        (.cancelled, "A person cancelled."),
        (.internalFault, "A fault of the program itself."),
        (.interrupted, "Interrupted (SIGINT)."),
        (.terminated, "Terminated (SIGTERM), after a clean drain as well."),
    ]
}
