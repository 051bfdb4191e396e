import Basics
import Handoff
import Platform

/// What the log has of commands: those that were sent, taken and refused, and the URLs that are none.
struct CommandLog: Sendable {
    private let journal: any Journal

    init(_ journal: any Journal) { self.journal = journal }

    /// A command that is about to leave, or has left.
    func sent(_ sealed: SealedCommand, byOpener: Bool = false) {
        let envelope = sealed.envelope
        sent(
            envelope.name.rawValue, flow: envelope.flow, to: envelope.receiver,
            sealed.command.maskedFields.merging(envelope.journalled) { $1 }, byOpener: byOpener)
    }

    /// A command that was sealed earlier: a personal one shows its receiver alone what it says.
    func sent(
        _ word: String, flow: FlowID, from sender: AppID, to receiver: AppID, id: CommandID?, inReplyTo: CommandID?,
        byOpener: Bool
    ) {
        var fields: [String: JSONValue] = [
            "command": .string(word), "from": .string(sender.text), "to": .string(receiver.text),
        ]
        fields["jti"] = id.map { .string($0.text) }
        fields["irt"] = inReplyTo.map { .string($0.text) }
        sent(word, flow: flow, to: receiver, fields, byOpener: byOpener)
    }

    private func sent(
        _ word: String, flow: FlowID, to receiver: AppID, _ fields: [String: JSONValue], byOpener: Bool
    ) {
        var fields = fields
        if byOpener { fields["transport"] = .string(Transport.opener.rawValue) }
        journal.record(JournalEntry(.sent, flow: flow.text, "\(word) to \(receiver)", fields: fields))
    }

    /// That what was sent was not taken.
    func notDelivered(_ command: CommandID?, flow: FlowID, _ error: any Error) {
        journal.record(
            JournalEntry(
                .note, flow: flow.text, "not delivered", code: (error as? any CodedError)?.code ?? .cancelled,
                fields: command.map { ["jti": .string($0.text)] } ?? [:]))
    }

    /// A command that was taken.
    func taken(_ incoming: IncomingCommand) {
        let command = incoming.command
        var fields = command.command.maskedFields.merging(command.envelope.journalled) { $1 }
        fields["transport"] = .string(incoming.transport.rawValue)
        journal.record(
            JournalEntry(
                .received, flow: command.flow.text, "\(command.name.rawValue) from \(command.sender)", fields: fields))
    }

    /// A URL that the app does not claim; of its text no more than a protocol version that it names.
    func leftAlone(_ url: String, schemes: [String]) {
        guard let version = CommandURL.otherVersion(in: url, schemes: schemes) else {
            return journal.record(JournalEntry(.note, "a URL that is no command for this app was left alone"))
        }
        journal.record(
            JournalEntry(
                .note, "a URL of protocol \(version) was left alone; this app speaks \(CommandURL.version)",
                code: .protocolVersion,
                fields: ["version": .string(version), "spoken": .string(CommandURL.version)]))
    }

    /// A refusal, with the rule that refused. The sender and its flow are named only once the signature holds.
    func refused(_ error: any Error, sender: PeerEvidence?, incoming: IncomingCommand?) {
        let fault = error as? any CodedError
        var fields: [String: JSONValue] = [
            "transport": .string(incoming?.transport.rawValue ?? (sender == nil ? "opener" : "bus"))
        ]
        let rule = (error as? Fault)?.underlying as? RuleRefusal
        let proven = incoming?.command.envelope ?? rule?.proven
        if let proven { fields.merge(proven.journalled) { $1 } }
        fields["rule"] = rule.map { .string($0.rule) }
        fields["detail"] = fault?.detail.map(JSONValue.string)
        fields["busName"] = sender.map { .string($0.uniqueName) }
        journal.record(
            JournalEntry(
                .refused, flow: proven?.flow.text, fault?.text ?? "A command was refused.",
                code: fault?.code ?? .internalFault, fields: fields))
    }
}

extension Envelope {
    /// What the log has of it: who, to whom, which command, in answer to which.
    fileprivate var journalled: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "command": .string(name.rawValue), "from": .string(sender.text), "to": .string(receiver.text),
            "jti": .string(id.text),
        ]
        fields["irt"] = inReplyTo.map { .string($0.text) }
        return fields
    }
}
