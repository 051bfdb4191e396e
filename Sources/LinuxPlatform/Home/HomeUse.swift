import Basics
import Glibc
import Platform

/// Whether programs use a home: every one of them is a party of its bus.
enum HomeUse {
    /// Whether a program uses the home now; nothing is made to find out.
    static func isRunning(_ path: String) -> Bool {
        guard access(path + "/run/bus.parties", F_OK) == 0, let folder = try? BusFolder(home: path),
            let gate = try? folder.gate(), let parties = try? folder.parties()
        else { return false }
        // Who holds the gate for longer starts a bus or ends it; another look like this one is over at once.
        var attempts = 20
        while (try? gate.tryLock(.exclusive)) != true {
            attempts -= 1
            if attempts == 0 { return true }
            usleep(5_000)
        }
        defer { gate.unlock() }
        guard (try? parties.tryLock(.exclusive)) == true else { return true }
        parties.unlock()
        return false
    }

    /// Runs `body` while nobody can join the home's bus.
    ///
    /// - Throws: `home-busy` when a program uses the home.
    static func whileUnused(_ path: String, _ body: () throws -> Void) async throws {
        let folder = try BusFolder(home: path)
        let gate = try folder.gate()
        try await gate.lock(.exclusive)
        defer { gate.unlock() }
        let parties = try folder.parties()
        guard try parties.tryLock(.exclusive) else { throw Fault(.homeBusy, "Programs use the home \(path) now.") }
        defer { parties.unlock() }
        // A daemon that a killed program left.
        if let record = try folder.record(), record.kind == .private { await PrivateBus.end(record, in: folder) }
        try body()
    }
}
