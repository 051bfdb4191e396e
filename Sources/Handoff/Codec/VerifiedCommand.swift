import Basics

/// A command that passed every rule of its receiver. Only `CommandReceiver` makes one.
package struct VerifiedCommand: Sendable, Hashable {
    /// What surrounds the command.
    package let envelope: Envelope
    /// The command itself.
    package let command: Command
    /// The thumbprint of the key that signed it.
    package let keyID: String

    init(envelope: Envelope, command: Command, keyID: String) {
        self.envelope = envelope
        self.command = command
        self.keyID = keyID
    }

    package var sender: AppID { envelope.sender }
    package var id: CommandID { envelope.id }
    package var flow: FlowID { envelope.flow }
    package var inReplyTo: CommandID? { envelope.inReplyTo }
    package var name: CommandName { envelope.name }
}
