package import Handoff
package import Platform

/// A verified command, and how it was carried.
package struct IncomingCommand: Sendable {
    /// The command.
    package let command: VerifiedCommand
    /// How it came: from the sender's registered bus name, or by an opener.
    package let transport: Transport
    /// The bus name it came from, where it came over the bus.
    package let sender: PeerEvidence?

    package init(command: VerifiedCommand, transport: Transport, sender: PeerEvidence?) {
        self.command = command
        self.transport = transport
        self.sender = sender
    }
}
