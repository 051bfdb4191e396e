package import Basics
import JOSE

/// What a receiver finds when it looks at a URL rule by rule, without taking it.
package struct Examination: Sendable {
    /// What became of one rule.
    package enum Finding: Sendable {
        case kept
        case broken(Fault)
        /// An earlier one had ended it.
        case notReached
    }

    /// One rule with what became of it.
    package struct Check: Sendable {
        package let rule: String
        package var finding: Finding

        package init(_ rule: String, _ finding: Finding) {
            self.rule = rule
            self.finding = finding
        }
    }

    /// The rules in their order.
    package private(set) var checks: [Check]
    /// The command as it was decoded: nothing of it is proved unless the signature held.
    package internal(set) var decoded: UnverifiedCommand?
    /// The command, where every rule so far was kept.
    package internal(set) var verified: VerifiedCommand?

    init(rules: [String]) { checks = rules.map { Check($0, .notReached) } }

    /// Whether a rule was kept.
    package func keeps(_ rule: String) -> Bool {
        checks.contains { check in
            if case .kept = check.finding { check.rule == rule } else { false }
        }
    }

    /// The fault of the first rule that was broken.
    package var refusal: (rule: String, fault: Fault)? {
        for check in checks { if case .broken(let fault) = check.finding { return (check.rule, fault) } }
        return nil
    }

    /// Adds a rule that is looked at when all before it were kept.
    ///
    /// - Parameter look: throws what the rule has against the command.
    package mutating func look(at rule: String, _ look: () throws -> Void) {
        guard refusal == nil else { return checks.append(Check(rule, .notReached)) }
        do {
            try look()
            checks.append(Check(rule, .kept))
        } catch {
            checks.append(Check(rule, .broken(error as? Fault ?? Fault(.internalFault, detail: "\(type(of: error))"))))
        }
    }

    mutating func keep(_ rule: String) { set(rule, .kept) }

    mutating func fail(_ rule: String, _ fault: Fault) { set(rule, .broken(fault)) }

    private mutating func set(_ rule: String, _ finding: Finding) {
        guard let index = checks.firstIndex(where: { $0.rule == rule }) else { return }
        checks[index].finding = finding
    }
}

extension CommandReceiver {
    /// Looks at a URL as `verify` does, and says of each rule whether it was kept, broken or not reached.
    ///
    /// - Returns: `nil` when the URL is not ours to claim.
    /// - Throws: what `registry` throws.
    package func examine(
        _ url: String, now: Timestamp, registry: (AppID) throws(Fault) -> Peer?
    ) throws(Fault) -> Examination? {
        let rules = rules.list
        var examination = Examination(
            rules: ["size", "shape", "decryption", "parse"] + rules.map(\.name) + ["meaning"])
        let shape: CommandURL
        do throws(Fault) {
            guard let read = try CommandURL(url, schemes: schemes) else { return nil }
            shape = read
        } catch {
            if error.code == .commandTooLarge {
                examination.fail("size", error)
            } else {
                examination.keep("size")
                examination.fail("shape", error)
            }
            return examination
        }
        for rule in ["size", "shape"] { examination.keep(rule) }
        let command: UnverifiedCommand
        do throws(Fault) {
            command = try UnverifiedCommand(shape, decryptionKeys: decryptionKeys)
        } catch {
            if error.code == .undecryptable {
                examination.fail("decryption", error)
            } else {
                examination.keep("decryption")
                examination.fail("parse", error)
            }
            return examination
        }
        for rule in ["decryption", "parse"] { examination.keep(rule) }
        examination.decoded = command
        let context = context(sender: try registry(command.envelope.sender), now: now)
        for rule in rules {
            if let fault = rule.refusal(command, context, isSigned: false) {
                examination.fail(rule.name, fault)
                return examination
            }
            examination.keep(rule.name)
        }
        do throws(Fault) {
            examination.verified = VerifiedCommand(
                envelope: command.envelope, command: try Command(command.envelope.name, fields: command.fields),
                keyID: command.signedPart.keyID ?? "")
            examination.keep("meaning")
        } catch {
            examination.fail("meaning", error)
        }
        return examination
    }
}
