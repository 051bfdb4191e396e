package import Basics
package import JOSE
import OpenIDConnect

/// Signs an app's commands, and encrypts the personal ones to their receiver.
package struct CommandSealer: Sendable {
    private let sender: AppID
    private let key: SigningKey

    /// Makes a sealer for one app and its command key.
    package init(sender: AppID, key: SigningKey) {
        self.sender = sender
        self.key = key
    }

    /// Makes the URL of a command.
    ///
    /// - Parameters:
    ///   - id: 128 random bits.
    ///   - lifetime: at most 60 s.
    /// - Throws: `command-too-large` when the URL would be longer than 8 KiB; `command-meaning` or
    ///   `command-malformed` for a field that no receiver would read.
    package func seal(
        _ command: Command, to receiver: Peer, flow: FlowID, inReplyTo: CommandID? = nil, id: CommandID, now: Timestamp,
        lifetime: Duration = Envelope.maximumLifetime
    ) throws(Fault) -> SealedCommand {
        let issuedAt = Timestamp(seconds: now.seconds)
        let envelope = Envelope(
            sender: sender, receiver: receiver.id, id: id, flow: flow, inReplyTo: inReplyTo, issuedAt: issuedAt,
            expires: issuedAt + lifetime, name: command.name,
            encryptionKeyID: command.name.isPersonal ? receiver.encryptionKey.thumbprint.value : nil,
            traceparent: TraceContext(flow: flow.text, spanBytes: id.bytes)?.text)
        // What this side could not read itself never leaves: an empty text, say, or an id of another length.
        _ = try Envelope(envelope.json)
        _ = try Command(command.name, fields: command.fields)
        // No field of a command may stand in for a part of the envelope.
        let claims = JSONValue.object(envelope.json.merging(command.fields) { envelope, _ in envelope })
        var token = try JWS.sign(
            claims.serialized(), header: ["typ": .string(Envelope.type), "kid": .string(key.keyID)], by: key)
        if command.name.isPersonal {
            token = try JWE.encrypt(
                Array(token.utf8),
                header: [
                    "cty": .string(Envelope.type), "apu": .string(partyInfo(sender)),
                    "apv": .string(partyInfo(receiver.id)), "kid": .string(receiver.encryptionKey.thumbprint.value),
                ],
                to: receiver.encryptionKey)
        }
        let url = CommandURL(scheme: receiver.scheme, name: command.name, token: token).text
        guard url.utf8.count <= CommandURL.maximumBytes else { throw Fault(.commandTooLarge) }
        return SealedCommand(url: url, envelope: envelope, command: command)
    }
}

/// A command that is ready to be sent.
package struct SealedCommand: Sendable {
    /// The URL that travels.
    package let url: String
    /// What surrounds the command.
    package let envelope: Envelope
    /// The command itself.
    package let command: Command
}
