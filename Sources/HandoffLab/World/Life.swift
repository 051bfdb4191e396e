import Basics
import Platform
import Synchronization

/// Whether a process of the world lives. After its end its ports refuse every effect, whatever its code still does:
/// that is what `kill -9` means in a simulation.
final class Life: Sendable {
    private let ended = Mutex(false)

    /// Ends the process's effects at once.
    func end() { ended.withLock { $0 = true } }

    var hasEnded: Bool { ended.withLock { $0 } }

    /// Throws where the process is dead. A dead process is told nothing, so this is a cancellation and no fault.
    func check() throws {
        if hasEnded { throw CancellationError() }
    }

    /// The same surroundings, as long as the process lives.
    func bounding(_ surroundings: Surroundings) -> Surroundings {
        var bounded = surroundings
        bounded.store = MortalStore(store: surroundings.store, life: self)
        bounded.secrets = MortalSecrets(secrets: surroundings.secrets, life: self)
        bounded.groups = surroundings.groups.mapValues { MortalGroup(group: $0, life: self) }
        bounded.bus = MortalBus(bus: surroundings.bus, life: self)
        bounded.http = MortalHTTP(http: surroundings.http, life: self)
        bounded.listener = MortalListener(listener: surroundings.listener, life: self)
        bounded.opener = MortalOpener(opener: surroundings.opener, life: self)
        bounded.dialogue = MortalDialogue(dialogue: surroundings.dialogue, life: self)
        bounded.journal = MortalJournal(journal: surroundings.journal, life: self)
        return bounded
    }

    /// The same store, as long as the process lives.
    func bounding(_ store: any RecordStore) -> any RecordStore { MortalStore(store: store, life: self) }

    /// The same journal, as long as the process lives.
    func bounding(_ journal: any Journal) -> any Journal { MortalJournal(journal: journal, life: self) }
}

private struct MortalStore: RecordStore {
    let store: any RecordStore
    let life: Life

    func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result {
        try life.check()
        return try await store.write(durability) { [life] transaction in
            try life.check()
            return try body(transaction)
        }
    }

    func read<Result: Sendable>(_ body: @Sendable (borrowing Snapshot) throws -> Result) throws -> Result {
        try life.check()
        return try store.read(body)
    }
}

private struct MortalSecrets: SecretStore {
    let secrets: any SecretStore
    let life: Life

    func read(_ name: String) async throws -> Secret<[UInt8]>? {
        try life.check()
        return try await secrets.read(name)
    }

    func write(_ name: String, _ value: Secret<[UInt8]>) async throws {
        try life.check()
        try await secrets.write(name, value)
    }

    func remove(_ name: String) async throws -> Bool {
        try life.check()
        return try await secrets.remove(name)
    }

    func names() async throws -> [String] {
        try life.check()
        return try await secrets.names()
    }
}

private struct MortalGroup: SharedSecretStore {
    let group: any SharedSecretStore
    let life: Life

    func put(_ item: SharedSecret) async throws {
        try life.check()
        try await group.put(item)
    }

    func take(_ name: String, now: Timestamp) async throws -> SharedSecret? {
        try life.check()
        return try await group.take(name, now: now)
    }
}

private struct MortalBus: CommandBus {
    let bus: any CommandBus
    let life: Life

    func register(
        _ name: String, receive: @escaping @Sendable (Delivery) async -> Void
    ) async throws -> any BusRegistration {
        try life.check()
        return try await bus.register(name, receive: receive)
    }

    func open(_ url: String, at name: String, startIfNeeded: Bool) async throws {
        try life.check()
        try await bus.open(url, at: name, startIfNeeded: startIfNeeded)
    }

    func activate(_ action: String, parameter: String?, at name: String) async throws {
        try life.check()
        try await bus.activate(action, parameter: parameter, at: name)
    }

    func owner(of name: String) async throws -> String? {
        try life.check()
        return try await bus.owner(of: name)
    }

    func evidence(of uniqueName: String) async throws -> PeerEvidence? {
        try life.check()
        return try await bus.evidence(of: uniqueName)
    }

    func departure(of uniqueName: String) async throws {
        try life.check()
        try await bus.departure(of: uniqueName)
    }

    func stop() async { await bus.stop() }
}

private struct MortalHTTP: HTTPClient {
    let http: any HTTPClient
    let life: Life

    func send(_ call: HTTPCall) async throws -> HTTPResponse {
        try life.check()
        let response = try await http.send(call)
        // An answer that comes after the end is read by nobody.
        try life.check()
        return response
    }
}

private struct MortalListener: LoopbackListener {
    let listener: any LoopbackListener
    let life: Life

    func listen(_ handler: any HTTPHandler) async throws -> any LoopbackPort {
        try life.check()
        return try await listener.listen(handler)
    }
}

private struct MortalOpener: URLOpener {
    let opener: any URLOpener
    let life: Life

    var isAvailable: Bool { opener.isAvailable }

    func open(_ url: String) async throws {
        try life.check()
        try await opener.open(url)
    }
}

private struct MortalDialogue: Dialogue {
    let dialogue: any Dialogue
    let life: Life

    func ask(_ question: Question) async throws -> Answer {
        try life.check()
        let answer = try await dialogue.ask(question)
        try life.check()
        return answer
    }
}

private struct MortalJournal: Journal {
    let journal: any Journal
    let life: Life

    func record(_ entry: JournalEntry) {
        if !life.hasEnded { journal.record(entry) }
    }
}
