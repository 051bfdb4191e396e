import Basics
import Platform
import Synchronization

/// A party's place on the bus of its home, held from `join` to `leave`.
package final class HomeBus: Sendable {
    /// The D-Bus address to connect to.
    package let address: String
    /// Whether it is the home's private bus.
    package var isPrivate: Bool { record.kind == .private }

    private let folder: BusFolder
    private let record: BusRecord
    private let parties: Mutex<FileLock?>

    private init(folder: BusFolder, record: BusRecord, parties: FileLock) {
        address = record.address
        self.folder = folder
        self.record = record
        self.parties = Mutex(parties)
    }

    /// Joins the bus of a home: the one that its programs use now, else the one asked for, which is started if it is
    /// private. Without a choice the default home uses the session bus where there is one, all others their own.
    ///
    /// - Parameters:
    ///   - home: the home's folder.
    ///   - variables: the process's environment.
    ///   - keeper: how to start a program that calls `PrivateBus.runKeeperIfAsked`; `nil` where there is none.
    /// - Throws: `bus-mismatch` when the home's programs use another bus, `bus-unavailable` when there is none.
    package static func join(
        home: String, isDefaultHome: Bool, selection: BusSelection?, variables: [String: String], keeper: [String]?
    ) async throws -> HomeBus {
        let folder = try BusFolder(home: home)
        let gate = try folder.gate()
        try await gate.lock(.exclusive)
        defer { gate.unlock() }
        let parties = try folder.parties()
        let isInUse = try !parties.tryLock(.exclusive)
        parties.unlock()
        let request = Request(isDefaultHome: isDefaultHome, selection: selection, variables: variables)
        let current = try await usable(try folder.record(), isInUse: isInUse, for: request, in: folder)
        // Only the keeper can hold the lock against us now, and it gives it back at once.
        try await parties.lock(.shared)
        let record =
            if let current { current } else { try await open(request.wanted(), in: folder, keeper: keeper, variables) }
        return HomeBus(folder: folder, record: record, parties: parties)
    }

    /// Leaves the bus. The last party's leaving ends a private daemon.
    package func leave() async {
        let held = parties.withLock { parties in
            defer { parties = nil }
            return parties
        }
        guard let held else { return }
        held.unlock()
        // A keeper sees it by itself.
        if record.hasKeeper { return }
        // Not to be cut short: nobody else would end the daemon.
        await Task.detached { [self] in await endIfLast(held) }.value
    }

    private func endIfLast(_ held: FileLock) async {
        guard let gate = try? folder.gate(), (try? await gate.lock(.exclusive)) != nil else { return }
        defer { gate.unlock() }
        guard (try? held.tryLock(.exclusive)) == true else { return }
        defer { held.unlock() }
        switch record.kind {
        case .private: await PrivateBus.end(record, in: folder)
        case .session, .address:
            if (try? folder.record()) == record { _ = try? folder.recordFile.remove() }
        }
    }

    /// The recorded bus, where it can be used for this request.
    private static func usable(
        _ record: BusRecord?, isInUse: Bool, for request: Request, in folder: BusFolder
    ) async throws -> BusRecord? {
        guard let record else { return nil }
        let answers: Bool
        switch record.kind {
        case .private: answers = record.daemon?.isAlive == true && BusAddress.answers(record.address)
        case .session, .address: answers = isInUse
        }
        if answers, request.fits(record, isInUse: isInUse) { return record }
        if answers, isInUse {
            throw Fault(
                .busMismatch,
                "This home's programs use \(record.words), and this one would use \(request.wantedWords()).")
        }
        // Left by a killed program, or of no use to anyone.
        if record.kind == .private { await PrivateBus.end(record, in: folder) }
        return nil
    }

    private static func open(
        _ wanted: BusSelection, in folder: BusFolder, keeper: [String]?, _ variables: [String: String]
    ) async throws -> BusRecord {
        let record: BusRecord
        switch wanted {
        case .private: return try await PrivateBus.start(in: folder, keeper: keeper, variables: variables)
        case .session:
            guard let address = BusSelection.sessionAddress(variables: variables) else {
                throw Fault(.busUnavailable, "There is no session bus here.", next: "Use --bus private.")
            }
            record = BusRecord(kind: .session, address: address)
        case .address(let address):
            guard BusAddress.answers(address) else {
                throw Fault(.busUnavailable, "Nobody answers at the bus address \(address)")
            }
            record = BusRecord(kind: .address, address: address)
        }
        try folder.recordFile.write(record.bytes)
        return record
    }

    /// What a joining program wants.
    private struct Request {
        let isDefaultHome: Bool
        let selection: BusSelection?
        let variables: [String: String]

        private var session: String? { BusSelection.sessionAddress(variables: variables) }

        func wanted() -> BusSelection {
            selection ?? (isDefaultHome && session != nil ? .session : .private)
        }

        /// Whether the bus that the home has is one this program accepts; who comes first accepts its own choice only.
        func fits(_ record: BusRecord, isInUse: Bool) -> Bool {
            switch isInUse ? selection : wanted() {
            case nil: true
            case .private: record.kind == .private
            case .session: session.map { BusAddress.isSame($0, record.address) } ?? false
            case .address(let address): BusAddress.isSame(address, record.address)
            }
        }

        func wantedWords() -> String {
            switch wanted() {
            case .private: "a private one"
            case .session: "the session bus" + (session.map { " (\($0))" } ?? "")
            case .address(let address): "the one at \(address)"
            }
        }
    }
}
