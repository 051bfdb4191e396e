import Basics
package import Handoff
import JOSE
import Platform

/// Leaving: commands are sealed, and go to the peer's connection, or to the opener where it has none.
extension CommandEndpoint {
    /// Seals a command for a peer.
    package nonisolated func seal(
        _ command: Command, to peer: Peer, flow: FlowID, inReplyTo: CommandID? = nil, id: CommandID? = nil
    ) async throws -> SealedCommand {
        try CommandSealer(sender: self.id, key: try await keys.current().command).seal(
            command, to: peer, flow: flow, inReplyTo: inReplyTo, id: id ?? newID(), now: surroundings.environment.now())
    }

    /// 128 random bits.
    package nonisolated func newID() -> CommandID { CommandID(randomBytes: surroundings.environment.randomBytes(16)) }

    /// Seals and sends a command.
    package func send(
        _ command: Command, to peer: Peer, flow: FlowID, inReplyTo: CommandID? = nil, id: CommandID? = nil
    ) async throws {
        try await deliver(try await seal(command, to: peer, flow: flow, inReplyTo: inReplyTo, id: id), to: peer)
    }

    /// Answers a command where it came from: the connection that sent it, where that owns the peer's name; no `ping`
    /// is needed for that. Else as any other command.
    package func reply(_ command: Command, to incoming: IncomingCommand, from peer: Peer) async throws {
        let sealed = try await seal(command, to: peer, flow: incoming.command.flow, inReplyTo: incoming.command.id)
        guard incoming.transport == .direct, let sender = incoming.sender else {
            return try await deliver(sealed, to: peer)
        }
        try await deliver(sealed, at: sender.uniqueName)
    }

    /// Sends a sealed command to a peer that is present.
    package func deliver(_ sealed: SealedCommand, to peer: Peer) async throws {
        let name = try await place(of: peer)
        // Journalled first: its receiver's lines, and those of its answer, come after it.
        log.sent(sealed, byOpener: name == nil)
        try await opened(sealed.url, at: name, flow: sealed.envelope.flow, id: sealed.envelope.id)
    }

    /// Sends a sealed command to the connection of a peer.
    package func deliver(_ sealed: SealedCommand, at uniqueName: String) async throws {
        try await surroundings.bus.open(sealed.url, at: uniqueName, startIfNeeded: false)
        log.sent(sealed)
    }

    /// Sends a command that was sealed and stored earlier, perhaps by another process of this app.
    ///
    /// - Parameters:
    ///   - id: the id that it was sealed with; needed of a personal command, which nobody but its receiver can read.
    ///   - startsIt: whether the bus may start the peer for it, because the command begins something.
    /// - Returns: the unique name of the connection that has it now; `nil` where it went by the manifest's opener.
    @discardableResult
    package func deliverStored(
        _ url: String, flow: FlowID, id personal: CommandID? = nil, to peer: Peer, startsIt: Bool = true,
        within timeout: Duration? = nil
    ) async throws -> String? {
        let name = try await place(
            of: peer, startsIt: startsIt, within: timeout ?? .seconds(startsIt ? 10 : 5))
        let shape = try CommandURL(url, schemes: [peer.scheme])
        let envelope = try? shape.map { try UnverifiedCommand($0, decryptionKeys: []) }?.envelope
        let command = personal ?? envelope?.id
        log.sent(
            shape?.name.rawValue ?? "?", flow: flow, from: id, to: peer.id, id: command,
            inReplyTo: envelope?.inReplyTo, byOpener: name == nil)
        try await opened(url, at: name, flow: flow, id: command)
        return name
    }

    /// Where a peer takes commands: its unique name, or `nil` for one that is not on the bus and that the opener of
    /// this app's manifest reaches.
    private func place(
        of peer: Peer, startsIt: Bool = false, within timeout: Duration = .seconds(5)
    ) async throws -> String? {
        do {
            return try await ensurePresence(of: peer, startsIt: startsIt, within: timeout)
        } catch let fault as Fault
            where fault.code == .peerNotRunning && !surroundings.manifest.opener.isEmpty
        {
            return nil
        }
    }

    /// Hands a URL to the bus, or to the opener; that it was not taken is journalled beside what was sent.
    private func opened(_ url: String, at name: String?, flow: FlowID, id command: CommandID?) async throws {
        do {
            guard let name else { return try await surroundings.opener.open(url) }
            try await surroundings.bus.open(url, at: name, startIfNeeded: false)
        } catch {
            log.notDelivered(command, flow: flow, error)
            throw error
        }
    }
}
