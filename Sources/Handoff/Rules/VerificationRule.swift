package import Basics
import JOSE

/// What a rule may look at besides the command.
package struct VerificationContext: Sendable {
    /// The receiving app.
    package let receiver: AppID
    /// The role of the receiving app.
    package let role: AppRole
    /// The registered app that the command names as its sender, if there is one.
    package let sender: Peer?
    /// The receiver's clock.
    package let now: Timestamp
    /// How far the clocks of two apps may differ.
    package let skew: Duration
}

/// One reason to refuse a command. The order of the list is the order of the checks.
package struct VerificationRule: Sendable {
    /// The rule's name, which a test of it carries.
    package let name: String
    /// The code a refusal has.
    package let code: ErrorCode
    /// Whether the command keeps the rule; what is wrong otherwise.
    package let check: @Sendable (UnverifiedCommand, VerificationContext) -> Violation?

    /// What is wrong: for the log, without a word of the command.
    package struct Violation: Error, Sendable, ExpressibleByStringLiteral {
        package let detail: String
        /// A more exact code than the rule's own.
        package let code: ErrorCode?

        package init(_ detail: String, code: ErrorCode? = nil) {
            self.detail = detail
            self.code = code
        }

        package init(stringLiteral value: String) { self.init(value) }
    }
}

/// The rules of a receiver, in their order.
package struct VerificationRules: Sendable {
    package let list: [VerificationRule]

    /// Takes any list: for the lab's weakened peers alone, never for an app.
    package init(dangerouslyWith list: [VerificationRule]) { self.list = list }

    /// Every rule.
    package static let standard = VerificationRules(dangerouslyWith: [
        .nesting, .header, .encryptionHeader, .sender, .signature, .recipientKey, .audience, .role, .path, .lifetime,
        .freshness, .reply,
    ])

    /// All rules but the named one: for the lab, to show what the rule was for.
    package func dangerouslyWithout(_ name: String) -> VerificationRules {
        VerificationRules(dangerouslyWith: list.filter { $0.name != name })
    }
}
