import Basics
package import Handoff
import JOSE
package import Platform

/// An app's place on the bus for URL commands: it seals and sends, verifies and classifies what arrives, and knows
/// which peers are present. Both roles use it; it decides nothing about flows.
package actor CommandEndpoint {
    /// A peer as the endpoint needs it: pinned keys, and how its commands may arrive.
    package struct Registered: Sendable {
        package var peer: Peer
        package var directOnly: Bool
        /// The executable its process must have, where it is known.
        package var executable: String?

        package init(peer: Peer, directOnly: Bool = false, executable: String? = nil) {
            self.peer = peer
            self.directOnly = directOnly
            self.executable = executable
        }
    }

    private let id: AppID
    private let surroundings: Surroundings
    private let role: AppRole
    private let keys: AppKeyring
    private let rules: VerificationRules
    private let registry: @Sendable (AppID) throws -> Registered?
    private var registration: (any BusRegistration)?
    private var presence: [AppID: String] = [:]
    private var pings: [CommandID: PendingPing] = [:]
    private var throttle = FailureThrottle()
    private var settingUp: SettingUp
    /// What a peer that has come back is told before its `ping` is answered, at its connection.
    private var beforePong: @Sendable (AppID, String) async -> Void = { _, _ in }

    private struct PendingPing {
        var peer: AppID
        var nonce: String
        /// Brings the unique name that the answer came from.
        var answer: Promise<String>
    }

    /// Makes an endpoint.
    ///
    /// - Parameters:
    ///   - keys: the app's own keys; read anew for each command.
    ///   - isSetUp: whether commands are taken at once, and not only after `finishSettingUp`.
    ///   - registry: the registered app of that id; read anew for each command.
    package init(
        id: AppID, role: AppRole, keys: AppKeyring, surroundings: Surroundings, rules: VerificationRules = .standard,
        isSetUp: Bool = true, registry: @escaping @Sendable (AppID) throws -> Registered?
    ) {
        self.id = id
        self.surroundings = surroundings
        self.role = role
        self.keys = keys
        self.rules = rules
        self.registry = registry
        settingUp = SettingUp(isFinished: isSetUp)
    }

    // MARK: - Arriving

    /// Owns the app's name on the bus, and hands everything that arrives to `receive`.
    package func register(_ receive: @escaping @Sendable (Delivery) async -> Void) async throws {
        registration = try await surroundings.bus.register(id.text, receive: receive)
    }

    /// Has the commands taken that arrived so far, and all later ones at once.
    package func finishSettingUp() { settingUp.finish() }

    /// Whether this process owns the app's name.
    package var isRegistered: Bool { registration != nil }

    /// Sets what a peer that has come back is told before its `ping` is answered.
    package func setBeforePong(_ tell: @escaping @Sendable (AppID, String) async -> Void) { beforePong = tell }

    /// The unique name of the connection that owns the app's name, where this process does.
    package var uniqueName: String? { registration?.uniqueName }

    /// Gives the name back.
    package func withdraw() async {
        await registration?.withdraw()
        registration = nil
        let waiting = pings
        pings = [:]
        settingUp.end()
        for ping in waiting.values { ping.answer.settle(.failure(CancellationError())) }
    }

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
                let command = try receiver.verify(
                    url, now: now,
                    registry: { id throws(Fault) in try pinned(id) })
            else {
                leftAlone(url)
                return nil
            }
            let transport = try await transport(of: command, sender: sender)
            let incoming = IncomingCommand(command: command, transport: transport, sender: sender)
            if try await answerPresence(incoming) { return nil }
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

    /// Journals a URL that this app does not claim; of its text no more than a protocol version that it names.
    package nonisolated func leftAlone(_ url: String) {
        guard let version = CommandURL.otherVersion(in: url, schemes: surroundings.manifest.schemes) else {
            return journal(.note, nil, "a URL that is no command for this app was left alone")
        }
        surroundings.journal.record(
            JournalEntry(
                .note, "a URL of protocol \(version) was left alone; this app speaks \(CommandURL.version)",
                code: .protocolVersion,
                fields: ["version": .string(version), "spoken": .string(CommandURL.version)]))
    }

    /// Journals a refusal that came later than the rules of the command itself: replay, correlation, meaning.
    package func refused(_ error: any Error, sender: PeerEvidence?, incoming: IncomingCommand? = nil) {
        let fault = error as? any CodedError
        // A late command is the flow's own peer's, and is taken once: no misbehaviour.
        if let sender, fault?.code != .commandLate {
            throttle.note(sender.uniqueName, now: surroundings.environment.now())
        }
        var fields: [String: JSONValue] = [
            "transport": .string(incoming?.transport.rawValue ?? (sender == nil ? "opener" : "bus"))
        ]
        // The sender and its flow are named only once the signature holds.
        let rule = (error as? Fault)?.underlying as? RuleRefusal
        let proven = incoming?.command.envelope ?? rule?.proven
        if let proven { fields.merge(proven.journalled) { $1 } }
        fields["rule"] = rule.map { .string($0.rule) }
        fields["detail"] = fault?.detail.map(JSONValue.string)
        fields["busName"] = sender.map { .string($0.uniqueName) }
        surroundings.journal.record(
            JournalEntry(
                .refused, flow: proven?.flow.text, fault?.text ?? "A command was refused.",
                code: fault?.code ?? .internalFault, fields: fields))
    }

    /// Journals a command that was taken.
    package nonisolated func taken(_ incoming: IncomingCommand) {
        let command = incoming.command
        var fields = command.command.maskedFields.merging(command.envelope.journalled) { $1 }
        fields["transport"] = .string(incoming.transport.rawValue)
        surroundings.journal.record(
            JournalEntry(
                .received, flow: command.flow.text, "\(command.name.rawValue) from \(command.sender)", fields: fields))
    }

    private func transport(of command: VerifiedCommand, sender: PeerEvidence?) async throws -> Transport {
        guard let registered = try registry(command.sender) else { throw Fault(.unknownSender) }
        var transport = Transport.opener
        if let sender {
            // Another uid is always refused, whoever signed; so is one that the bus does not tell.
            if let own = surroundings.ownUserID, sender.userID != own { throw Fault(.foreignUser) }
            // A peer that answered a ping by this unique name owned its name then, and may have left since: unique
            // names are never used again.
            let owner =
                presence[command.sender] == sender.uniqueName
                ? sender.uniqueName : try await surroundings.bus.owner(of: command.sender.text)
            if owner == sender.uniqueName {
                transport = .direct
                if let wanted = registered.executable, let executable = sender.executable, wanted != executable {
                    throw Fault(.processMismatch)
                }
            }
        }
        if transport == .opener, registered.directOnly { throw Fault(.deliveryRule) }
        return transport
    }

    // MARK: - Presence

    /// Answers a `ping`, or notes a `pong`; says whether the command was one of them.
    private func answerPresence(_ incoming: IncomingCommand) async throws -> Bool {
        let command = incoming.command
        switch command.command {
        case .ping(let ping):
            taken(incoming)
            guard let sender = incoming.sender, let peer = try registry(command.sender)?.peer else { return true }
            if incoming.transport == .direct { await beforePong(command.sender, sender.uniqueName) }
            let pong = Pong(
                nonce: ping.nonce, version: CommandURL.version,
                encryptionKeyID: try await keys.current().encryption.thumbprint.value)
            let sealed = try await seal(.pong(pong), to: peer, flow: command.flow, inReplyTo: command.id)
            sent(sealed)
            try await surroundings.bus.open(sealed.url, at: sender.uniqueName, startIfNeeded: false)
            return true
        case .pong(let pong):
            guard let id = command.inReplyTo, let pending = pings[id], pending.nonce == pong.nonce,
                pending.peer == command.sender, incoming.transport == .direct, let sender = incoming.sender
            else { throw Fault(.commandUncorrelated) }
            pings[id] = nil
            taken(incoming)
            guard sameBytes(pong.version, CommandURL.version) else {
                pending.answer.settle(.failure(otherVersion(pong.version, of: command.sender)))
                return true
            }
            pending.answer.fulfil(sender.uniqueName)
            return true
        default:
            return false
        }
    }

    private nonisolated func otherVersion(_ version: String, of peer: AppID) -> Fault {
        Fault(
            .protocolVersion, "\(peer) speaks protocol \(version), and this app speaks \(CommandURL.version).")
    }

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
        if let owner, presence[peer.id] == owner { return owner }
        presence[peer.id] = nil
        if owner == nil, !startsIt { throw absence(of: peer) }
        let nonce = surroundings.environment.uuid()
        let sealed = try await seal(
            .ping(Ping(nonce: nonce)), to: peer, flow: try FlowID(surroundings.environment.uuid()))
        let answer = Promise<String>()
        pings[sealed.envelope.id] = PendingPing(peer: peer.id, nonce: nonce, answer: answer)
        defer { pings[sealed.envelope.id] = nil }
        let bus = surroundings.bus
        let absence = absence(of: peer, wasToStart: startsIt)
        sent(sealed)
        let name = try await surroundings.environment.withDeadline(
            timeout, orThrow: Fault(.deadlinePassed, "\(peer.displayName) (\(peer.id)) does not answer.")
        ) {
            do {
                try await bus.open(sealed.url, at: owner ?? peer.id.text, startIfNeeded: owner == nil)
            } catch let fault as Fault where startsIt && fault.code == .peerNotStarted {
                throw Self.failedStart(of: peer, fault)
            } catch let fault as Fault where fault.isAbsence {
                throw absence
            }
            return try await answer.value()
        }
        presence[peer.id] = name
        return name
    }

    private nonisolated func absence(of peer: Peer, wasToStart: Bool = false) -> Fault {
        Fault(
            .peerNotRunning,
            "\(peer.displayName) (\(peer.id)) is not running on this bus"
                + (wasToStart ? ", and not installed for activation." : "."),
            next: peer.role == .identityProvider ? "Start it: countersign-idp serve" : "Start the app first.")
    }

    private static func failedStart(of peer: Peer, _ fault: Fault) -> Fault {
        Fault(
            .peerNotStarted, "\(peer.displayName) (\(peer.id)) could not be started by the bus.",
            next: peer.role == .identityProvider
                ? "Start it by hand to see why: countersign-idp serve" : "Start the app by hand to see why.",
            detail: fault.detail, underlying: fault)
    }

    // MARK: - Leaving

    /// Seals a command for a peer.
    package nonisolated func seal(
        _ command: Command, to peer: Peer, flow: FlowID, inReplyTo: CommandID? = nil, id: CommandID? = nil
    ) async throws -> SealedCommand {
        try CommandSealer(sender: self.id, key: try await keys.current().command).seal(
            command, to: peer, flow: flow, inReplyTo: inReplyTo, id: id ?? newID(), now: surroundings.environment.now())
    }

    /// 128 random bits.
    package nonisolated func newID() -> CommandID { CommandID(randomBytes: surroundings.environment.randomBytes(16)) }

    /// Sends a sealed command to a peer that is present.
    package func deliver(_ sealed: SealedCommand, to peer: Peer) async throws {
        let name = try await place(of: peer)
        // Journalled first: its receiver's lines, and those of its answer, come after it.
        sent(sealed, byOpener: name == nil)
        try await opened(sealed.url, at: name, flow: sealed.envelope.flow, id: sealed.envelope.id)
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

    /// Sends a sealed command to the connection of a peer.
    package func deliver(_ sealed: SealedCommand, at uniqueName: String) async throws {
        try await surroundings.bus.open(sealed.url, at: uniqueName, startIfNeeded: false)
        sent(sealed)
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
        let word = shape?.name.rawValue ?? "?"
        var fields: [String: JSONValue] = [
            "command": .string(word), "from": .string(id.text), "to": .string(peer.id.text),
        ]
        fields["jti"] = command.map { .string($0.text) }
        fields["irt"] = envelope?.inReplyTo.map { .string($0.text) }
        if name == nil { fields["transport"] = .string(Transport.opener.rawValue) }
        surroundings.journal.record(
            JournalEntry(.sent, flow: flow.text, "\(word) to \(peer.id)", fields: fields))
        try await opened(url, at: name, flow: flow, id: command)
        return name
    }

    /// Hands a URL to the bus, or to the opener; that it was not taken is journalled beside what was sent.
    private func opened(_ url: String, at name: String?, flow: FlowID, id command: CommandID?) async throws {
        do {
            guard let name else { return try await surroundings.opener.open(url) }
            try await surroundings.bus.open(url, at: name, startIfNeeded: false)
        } catch {
            surroundings.journal.record(
                JournalEntry(
                    .note, flow: flow.text, "not delivered", code: (error as? any CodedError)?.code ?? .cancelled,
                    fields: command.map { ["jti": .string($0.text)] } ?? [:]))
            throw error
        }
    }

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

    private nonisolated func sent(_ sealed: SealedCommand, byOpener: Bool = false) {
        var fields = sealed.command.maskedFields.merging(sealed.envelope.journalled) { $1 }
        if byOpener { fields["transport"] = .string(Transport.opener.rawValue) }
        surroundings.journal.record(
            JournalEntry(
                .sent, flow: sealed.envelope.flow.text,
                "\(sealed.envelope.name.rawValue) to \(sealed.envelope.receiver)", fields: fields))
    }

    private nonisolated func journal(_ kind: JournalEntry.Kind, _ flow: FlowID?, _ message: String) {
        surroundings.journal.record(JournalEntry(kind, flow: flow?.text, message))
    }
}

extension Envelope {
    /// What a log has of it: who, to whom, which command, in answer to which.
    fileprivate var journalled: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "command": .string(name.rawValue), "from": .string(sender.text), "to": .string(receiver.text),
            "jti": .string(id.text),
        ]
        fields["irt"] = inReplyTo.map { .string($0.text) }
        return fields
    }
}

extension Fault {
    /// Whether nobody owns the peer's name, as opposed to one who does and does not answer.
    fileprivate var isAbsence: Bool { code == .peerNotRunning && text == code.meaning }
}
