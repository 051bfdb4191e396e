import Basics
package import Handoff
import JOSE
import Platform

/// Presence: a signed `ping` and `pong`, once in the life of a peer's unique name.
extension CommandEndpoint {
    /// Makes sure that the peer is there, and returns the unique name to send to.
    ///
    /// The first time in the life of a bus name, a signed `ping` with a nonce must come back as a signed `pong`.
    ///
    /// - Parameter startsIt: whether the bus may start the app.
    /// - Throws: `peer-not-running`, `peer-not-started` when the bus could not start it, `protocol-version` when it
    ///   speaks another one, or `deadline-passed` when it does not answer.
    package func ensurePresence(
        of peer: Peer, startsIt: Bool = false, within timeout: Duration = .seconds(5)
    ) async throws -> String {
        let owner = try await surroundings.bus.owner(of: peer.id.text)
        if let owner, presence.knows(peer.id, at: owner) { return owner }
        presence.note(peer.id, at: nil)
        if owner == nil, !startsIt { throw Fault(absentPeer: peer) }
        let nonce = surroundings.environment.uuid()
        let sealed = try await seal(
            .ping(Ping(nonce: nonce)), to: peer, flow: try FlowID(surroundings.environment.uuid()))
        let answer = presence.expectPong(to: sealed.envelope.id, nonce, from: peer.id)
        defer { presence.forget(sealed.envelope.id) }
        let bus = surroundings.bus
        log.sent(sealed)
        let name = try await surroundings.environment.withDeadline(
            timeout, orThrow: Fault(.deadlinePassed, "\(peer.displayName) (\(peer.id)) does not answer.")
        ) {
            do {
                try await bus.open(sealed.url, at: owner ?? peer.id.text, startIfNeeded: owner == nil)
            } catch let fault as Fault where startsIt && fault.code == .peerNotStarted {
                throw Fault(failedStartOf: peer, fault)
            } catch let fault as Fault where fault.isAbsence {
                throw Fault(absentPeer: peer, wasToStart: startsIt)
            }
            return try await answer.value()
        }
        presence.note(peer.id, at: name)
        return name
    }

    /// Answers a `ping`, or notes a `pong`; says whether the command was one of them.
    func takePresence(_ incoming: IncomingCommand) async throws -> Bool {
        switch incoming.command.command {
        case .ping(let ping): try await answer(ping, incoming)
        case .pong(let pong): try note(pong, incoming)
        default: return false
        }
        return true
    }

    private func answer(_ ping: Ping, _ incoming: IncomingCommand) async throws {
        let command = incoming.command
        taken(incoming)
        guard let sender = incoming.sender, let peer = try registry(command.sender)?.peer else { return }
        if incoming.transport == .direct { await beforePong(command.sender, sender.uniqueName) }
        let pong = Pong(
            nonce: ping.nonce, version: CommandURL.version,
            encryptionKeyID: try await keys.current().encryption.thumbprint.value)
        let sealed = try await seal(.pong(pong), to: peer, flow: command.flow, inReplyTo: command.id)
        log.sent(sealed)
        try await surroundings.bus.open(sealed.url, at: sender.uniqueName, startIfNeeded: false)
    }

    private func note(_ pong: Pong, _ incoming: IncomingCommand) throws {
        let (answer, sender) = try presence.take(pong, in: incoming)
        taken(incoming)
        if sameBytes(pong.version, CommandURL.version) {
            answer.fulfil(sender.uniqueName)
        } else {
            answer.settle(.failure(Fault(otherVersion: pong.version, of: incoming.command.sender)))
        }
    }
}

extension Fault {
    /// Whether nobody owns the peer's name, as opposed to one who does and does not answer.
    fileprivate var isAbsence: Bool { code == .peerNotRunning && text == code.meaning }

    /// That nobody owns the peer's name, and what starts it.
    package init(absentPeer peer: Peer, wasToStart: Bool = false) {
        self.init(
            .peerNotRunning,
            "\(peer.displayName) (\(peer.id)) is not running on this bus"
                + (wasToStart ? ", and not installed for activation." : "."),
            next: peer.role == .identityProvider
                ? "Start it: countersign-idp serve"
                : "Start that app; after countersign-client --app \(peer.id) apps install the bus starts it.")
    }

    fileprivate init(failedStartOf peer: Peer, _ fault: Fault) {
        self.init(
            .peerNotStarted, "\(peer.displayName) (\(peer.id)) could not be started by the bus.",
            next: peer.role == .identityProvider
                ? "Start it by hand to see why: countersign-idp serve" : "Start the app by hand to see why.",
            detail: fault.detail, underlying: fault)
    }

    fileprivate init(otherVersion version: String, of peer: AppID) {
        self.init(
            .protocolVersion, "\(peer) speaks protocol \(version), and this app speaks \(CommandURL.version).")
    }
}
