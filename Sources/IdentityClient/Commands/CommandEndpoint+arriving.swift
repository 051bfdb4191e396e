import Basics
import Handoff
import JOSE
package import Platform

/// Arriving: what a URL is, whether its command holds, and how it was carried.
extension CommandEndpoint {
    /// The flow that a command names, where its signature holds; nothing is taken or journalled.
    package nonisolated func provenFlow(of url: String) async -> String? {
        let now = surroundings.environment.now()
        guard let receiver = try? await receiver(at: now) else { return nil }
        do throws(Fault) {
            return try receiver.verify(
                url, now: now, registry: { id throws(Fault) in try pinned(id) })?.flow.text
        } catch {
            return (error.underlying as? RuleRefusal)?.proven?.flow.text
        }
    }

    /// Whether the URL is a command for this app at all.
    package nonisolated func claims(_ url: String) -> Bool {
        CommandURL.isClaimed(url, schemes: surroundings.manifest.schemes)
    }

    /// Verifies a URL that arrived and says how it was carried; refusals are journalled here, in one place.
    ///
    /// - Returns: `nil` for a URL that is not ours, a sender that is not read any more, and `ping`/`pong`, which end
    ///   here.
    /// - Throws: the rule that refused.
    package func accept(_ url: String, from sender: PeerEvidence?) async throws -> IncomingCommand? {
        let now = surroundings.environment.now()
        if let sender, throttle.isBlocked(sender.uniqueName, now: now) { return nil }
        do {
            let receiver = try await receiver(at: now)
            guard
                let command = try receiver.verify(url, now: now, registry: { id throws(Fault) in try pinned(id) })
            else {
                leftAlone(url)
                return nil
            }
            let transport = try await transport(of: command, sender: sender)
            let incoming = IncomingCommand(command: command, transport: transport, sender: sender)
            if try await takePresence(incoming) { return nil }
            try await untilSetUp()
            return incoming
        } catch {
            refused(error, sender: sender)
            throw error
        }
    }

    /// Holds a command back while the app is being set up. It was verified when it came.
    private func untilSetUp() async throws {
        guard !settingUp.isFinished else { return }
        let finished = try settingUp.enter()
        defer { settingUp.leave() }
        try await surroundings.environment.withDeadline(SettingUp.patience, orThrow: Fault(.notSetUp)) {
            try await finished.value()
        }
    }

    /// What verifies commands with the keys that open them now.
    private nonisolated func receiver(at now: Timestamp) async throws -> CommandReceiver {
        CommandReceiver(
            id: id, role: role, schemes: surroundings.manifest.schemes,
            decryptionKeys: try await keys.current().decryptionKeys(at: now), dangerouslyWith: rules)
    }

    private nonisolated func pinned(_ id: AppID) throws(Fault) -> Peer? {
        do {
            return try registry(id)?.peer
        } catch {
            throw error as? Fault ?? Fault(.storeUnavailable, underlying: error)
        }
    }

    /// Whether nothing is read from that bus name just now, because too much of it was refused.
    package func isSilenced(_ sender: PeerEvidence) -> Bool {
        throttle.isBlocked(sender.uniqueName, now: surroundings.environment.now())
    }

    /// Journals a URL that this app does not claim.
    package nonisolated func leftAlone(_ url: String) { log.leftAlone(url, schemes: surroundings.manifest.schemes) }

    /// Journals a refusal, also one that came later than the rules of the command itself: replay, correlation, meaning.
    package func refused(_ error: any Error, sender: PeerEvidence?, incoming: IncomingCommand? = nil) {
        // A late command is the flow's own peer's, and is taken once: no misbehaviour.
        if let sender, (error as? any CodedError)?.code != .commandLate {
            throttle.note(sender.uniqueName, now: surroundings.environment.now())
        }
        log.refused(error, sender: sender, incoming: incoming)
    }

    /// Journals a command that was taken.
    package nonisolated func taken(_ incoming: IncomingCommand) { log.taken(incoming) }

    private func transport(of command: VerifiedCommand, sender: PeerEvidence?) async throws -> Transport {
        guard let registered = try registry(command.sender) else { throw Fault(.unknownSender) }
        var transport = Transport.opener
        if let sender {
            // Another uid is always refused, whoever signed; so is one that the bus does not tell.
            if let own = surroundings.ownUserID, sender.userID != own { throw Fault(.foreignUser) }
            var isOwner = presence.knows(command.sender, at: sender.uniqueName)
            if !isOwner { isOwner = try await surroundings.bus.owner(of: command.sender.text) == sender.uniqueName }
            if isOwner {
                transport = .direct
                if let wanted = registered.executable, let executable = sender.executable, wanted != executable {
                    throw Fault(.processMismatch)
                }
            }
        }
        if transport == .opener, registered.directOnly { throw Fault(.deliveryRule) }
        return transport
    }
}
