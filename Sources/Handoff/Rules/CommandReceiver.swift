package import Basics
package import JOSE

/// Turns a URL that arrived into a verified command, or into the reason why not.
package struct CommandReceiver: Sendable {
    private let id: AppID
    private let role: AppRole
    private let schemes: [String]
    private let decryptionKeys: [DecryptionKey]
    private let rules: VerificationRules
    private let skew: Duration

    /// Makes a receiver with every rule.
    package init(id: AppID, role: AppRole, schemes: [String], decryptionKeys: [DecryptionKey]) {
        self.init(
            id: id, role: role, schemes: schemes, decryptionKeys: decryptionKeys, dangerouslyWith: .standard)
    }

    /// Makes a receiver with other rules: for the lab's weakened peers alone, never for an app.
    package init(
        id: AppID, role: AppRole, schemes: [String], decryptionKeys: [DecryptionKey],
        dangerouslyWith rules: VerificationRules, skew: Duration = .seconds(30)
    ) {
        self.id = id
        self.role = role
        self.schemes = schemes
        self.decryptionKeys = decryptionKeys
        self.rules = rules
        self.skew = skew
    }

    /// Whether the URL is ours to claim; says nothing of its contents.
    package func claims(_ url: String) -> Bool { CommandURL.isClaimed(url, schemes: schemes) }

    /// Verifies a URL that arrived.
    ///
    /// - Parameter registry: the registered app of that id, if there is one.
    /// - Returns: the command, or `nil` when the URL is not ours to claim.
    /// - Throws: the first rule that refuses, by its code.
    package func verify(
        _ url: String, now: Timestamp, registry: (AppID) throws(Fault) -> Peer?
    ) throws(Fault) -> VerifiedCommand? {
        guard let shape = try CommandURL(url, schemes: schemes) else { return nil }
        let unverified = try UnverifiedCommand(shape, decryptionKeys: decryptionKeys)
        let context = VerificationContext(
            receiver: id, role: role, sender: try registry(unverified.envelope.sender), now: now, skew: skew)
        for rule in rules.list {
            guard let violation = rule.check(unverified, context) else { continue }
            let code = violation.code ?? rule.code
            throw Fault(code, detail: code == .undecryptable ? nil : violation.detail)
        }
        let command = try Command(unverified.envelope.name, fields: unverified.fields)
        return VerifiedCommand(envelope: unverified.envelope, command: command)
    }
}
