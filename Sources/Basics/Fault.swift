/// An error that carries a stable code, a public text with the next step, and a private detail.
public protocol CodedError: Error, Sendable {
    /// The stable code.
    var code: ErrorCode { get }
    /// What happened, for anyone to read.
    var text: String { get }
    /// What to do now, for anyone to read.
    var nextStep: String { get }
    /// What only the log may hold, already free of secrets.
    var detail: String? { get }
}

/// The one error value of the product's modules.
public struct Fault: CodedError {
    public let code: ErrorCode
    public let text: String
    public let nextStep: String
    public let detail: String?
    /// The error below this one, where there was one.
    public let underlying: (any Error)?

    /// Makes a fault; text and next step are the code's own unless given.
    public init(
        _ code: ErrorCode, _ text: String? = nil, next nextStep: String? = nil, detail: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.text = text ?? code.meaning
        self.nextStep = nextStep ?? code.nextStep
        self.detail = detail
        self.underlying = underlying
    }
}

/// Faults are equal when their codes are: a test names the rule, not the wording.
extension Fault: Equatable {
    public static func == (left: Fault, right: Fault) -> Bool { left.code == right.code }
}

extension Fault: CustomStringConvertible {
    public var description: String { "error[\(code.name)] \(text)" }
}

/// Somebody chose to stop. Never a failure, so never a `Fault`.
public struct Cancellation: CodedError, Equatable {
    /// Who stopped it.
    public enum Origin: String, Sendable {
        /// The person at this app.
        case user
        /// The person or program at the other app.
        case peer
        /// The caller, or the end of the program.
        case caller
    }

    /// Who stopped it.
    public let origin: Origin

    /// Makes a cancellation.
    public init(by origin: Origin) { self.origin = origin }

    public var code: ErrorCode { .cancelled }
    public var text: String {
        switch origin {
        case .user: "Cancelled."
        case .peer: "Cancelled at the other app."
        case .caller: "Cancelled before it was done."
        }
    }
    public var nextStep: String { code.nextStep }
    public var detail: String? { nil }
}

extension ErrorCode {
    /// Somebody chose to stop.
    public static let cancelled = ErrorCode(
        "cancelled", .cancelled, "The person cancelled.", next: "Run the command again when you want to go on.")
    /// A fault of the program itself.
    public static let internalFault = ErrorCode(
        "internal", .internal, "The program met a state that it does not know.",
        next: "Report it, with the log of the app (log/APP.jsonl in the home).")
    /// JSON that the strict parser refuses.
    public static let invalidJSON = ErrorCode(
        "invalid-json", .failed, "The text is not JSON as RFC 8259 and this product's limits have it.",
        next: "Check for a repeated name, a trailing comma, too deep nesting, or text that is not UTF-8.")

    /// Form data that the strict reader refuses.
    public static let invalidForm = ErrorCode(
        "invalid-form", .failed, "The text is not application/x-www-form-urlencoded.",
        next: "Check the percent encoding; it must be UTF-8 underneath.")

    /// All codes of this module.
    public static let basics: [ErrorCode] = [.cancelled, .internalFault, .invalidJSON, .invalidForm]
}

/// Lets a `catch` name a code: `catch ErrorCode.unknownKey`.
package func ~= (code: ErrorCode, error: any Error) -> Bool { (error as? any CodedError)?.code == code }
