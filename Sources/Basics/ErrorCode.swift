/// The stable name of one way to fail, with the text a user sees for it.
///
/// Each module lists its codes in one array (`ErrorCode.handoff`, `ErrorCode.provider`, …); docs/errors.md is made
/// from those lists, so a code cannot exist without a meaning and a next step.
public struct ErrorCode: Sendable {
    /// What kind of failure a code belongs to; a command line program turns the kind into its exit code.
    public enum Kind: String, Sendable, CaseIterable {
        /// An operation or expectation failed (exit 1).
        case failed
        /// The command line was wrong (exit 2).
        case usage
        /// A file or script is not valid (exit 3).
        case invalidFile
        /// Authentication is required, was denied or was refused (exit 4).
        case refused
        /// A port, bus, store, peer or tool is not there (exit 5).
        case environment
        /// An attack worked, or an invariant broke (exit 6).
        case breach
        /// Nothing happened before the deadline (exit 8).
        case timedOut
        /// A person cancelled (exit 9).
        case cancelled
        /// A fault of the program itself (exit 70).
        case `internal`
    }

    /// The stable name in kebab-case, as it stands in `error[…]`, in logs and in docs/errors.md.
    public let name: String
    /// The kind of failure.
    public let kind: Kind
    /// What happened and which rule says so, in one public sentence.
    public let meaning: String
    /// What the reader can do now: a command where there is one.
    public let nextStep: String

    /// Declares a code.
    public init(_ name: String, _ kind: Kind, _ meaning: String, next nextStep: String) {
        self.name = name
        self.kind = kind
        self.meaning = meaning
        self.nextStep = nextStep
    }
}

/// Codes are equal when their names are.
extension ErrorCode: Hashable {
    public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ErrorCode: CustomStringConvertible {
    public var description: String { name }
}
