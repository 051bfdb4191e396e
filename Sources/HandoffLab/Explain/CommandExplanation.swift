package import Basics
package import Handoff
package import Platform

/// What a URL command says, and what became of each rule.
package struct CommandExplanation: Sendable {
    /// The command's name in the path.
    package let name: String
    package let scheme: String
    /// The app of this home that would take it.
    package private(set) var receiver: AppManifest?
    /// The registered name of the app that it says it is from.
    package private(set) var senderName: String?
    package let examinedAt: Timestamp
    package private(set) var checks: [Examination.Check] = []
    /// What could be decoded; proved only where the signature held.
    package internal(set) var decoded: UnverifiedCommand?
    /// Whether the signature held, so that the claims are its sender's.
    package private(set) var isProven = false

    init(shape: CommandShape, examinedAt: Timestamp) {
        name = shape.name
        scheme = shape.scheme
        self.examinedAt = examinedAt
    }

    init(
        _ examination: Examination, of url: String, by receiver: AppManifest, sender: String?, at now: Timestamp
    ) {
        let shape = CommandShape(url)
        name = shape?.name ?? ""
        scheme = shape?.scheme ?? ""
        self.receiver = receiver
        senderName = sender
        examinedAt = now
        checks = examination.checks
        decoded = examination.decoded
        isProven = examination.keeps(VerificationRule.signature.name)
    }

    mutating func refuse(_ rule: String, _ fault: Fault) { checks.append(.init(rule, .broken(fault))) }

    /// The rule that refuses it, with why.
    package var refusal: (rule: String, fault: Fault)? {
        for check in checks { if case .broken(let fault) = check.finding { return (check.rule, fault) } }
        return nil
    }

    /// The command's own fields under their wire names.
    ///
    /// - Parameter unsafely: shows names, subjects, codes and states; they are masked otherwise.
    package func fields(unsafely: Bool) -> [(name: String, value: JSONValue)] {
        guard let decoded else { return [] }
        let masked = (try? Command(decoded.envelope.name, fields: decoded.fields))?.maskedFields
        return decoded.fields.sorted { $0.key < $1.key }.map { name, value in
            // The request object in words, with or without secrets: its compact form is of use to nobody.
            if name == "request" { return (name, masked?[name] ?? "unreadable") }
            if unsafely { return (name, value) }
            return (name, Self.personal.contains(name) ? "••••" : masked?[name] ?? "••••")
        }
    }

    private static let personal: Set = ["sub", "user_hint", "username", "start_url", "sid", "nonce"]
}
