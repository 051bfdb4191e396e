/// Which rule refused a command, below the fault that says so.
package struct RuleRefusal: Error, Sendable {
    /// The rule's name.
    package let rule: String
    /// What surrounded the command, once its signature held; nothing of any other may be logged.
    package let proven: Envelope?
}
