package import Basics
package import JOSE

/// Turns a URL that arrived into a verified command, or into the reason why not.
package struct CommandReceiver: Sendable {
    private let id: AppID
    private let role: AppRole
    let schemes: [String]
    let decryptionKeys: [DecryptionKey]
    let rules: VerificationRules
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

    /// What the rules may look at besides the command.
    func context(sender: Peer?, now: Timestamp) -> VerificationContext {
        VerificationContext(receiver: id, role: role, sender: sender, now: now, skew: skew)
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
        let context = context(sender: try registry(unverified.envelope.sender), now: now)
        var isSigned = false
        for rule in rules.list {
            if let refusal = rule.refusal(unverified, context, isSigned: isSigned) { throw refusal }
            isSigned = isSigned || rule.name == VerificationRule.signature.name
        }
        return VerifiedCommand(
            envelope: unverified.envelope, command: try Command(unverified, isSigned: isSigned),
            keyID: unverified.signedPart.keyID ?? "")
    }
}

extension VerificationRule {
    /// The refusal of a command that breaks the rule; nothing for one that keeps it.
    func refusal(_ command: UnverifiedCommand, _ context: VerificationContext, isSigned: Bool) -> Fault? {
        guard let violation = check(command, context) else { return nil }
        let code = violation.code ?? code
        // One fault for every failure of decryption, without a word that tells them apart.
        if code == .undecryptable { return Fault(code) }
        return Fault(
            code, detail: violation.detail,
            underlying: RuleRefusal(rule: name, proven: isSigned ? command.envelope : nil))
    }
}

extension Command {
    /// Reads the command's own fields, the last step of a verification: `meaning`.
    init(_ unverified: UnverifiedCommand, isSigned: Bool) throws(Fault) {
        do throws(Fault) {
            try self.init(unverified.envelope.name, fields: unverified.fields)
        } catch {
            throw Fault(
                error.code, error.text, next: error.nextStep, detail: error.detail,
                underlying: RuleRefusal(rule: "meaning", proven: isSigned ? unverified.envelope : nil))
        }
    }
}
