import Basics
import Platform
import Synchronization
import Testing

@testable import LinuxPlatform

private let kind = RecordKind("test.row")

/// Collects how writes ended, by their key.
private final class Outcomes: Sendable {
    private let codes = Mutex<[String: ErrorCode?]>([:])

    var all: [String: ErrorCode?] { codes.withLock { $0 } }

    func add(_ key: String, _ error: (any Error)?) {
        codes.withLock { $0[key] = .some((error as? Fault)?.code) }
    }

    /// A write of `count` bytes under that key.
    func job(_ key: String, _ count: Int = 1, before work: @escaping @Sendable () -> Void = {}) -> SQLiteWriter.Job {
        SQLiteWriter.Job(
            durability: .full,
            run: { [self] transaction in
                work()
                let outcome = Result {
                    try transaction.put(Record(kind: kind, key: key, value: [UInt8](repeating: 1, count: count)))
                }
                guard case .failure(let error) = outcome else {
                    return SQLiteWriter.Ending(failure: nil) { self.add(key, $0) }
                }
                return SQLiteWriter.Ending(failure: error) { self.add(key, $0 ?? error) }
            },
            refuse: { [self] in add(key, $0) })
    }
}

@Suite(.timeLimit(.minutes(2)))
struct SQLiteWriterTests {
    private let folder: StorageFolder
    private let connection: SQLiteConnection
    private let outcomes = Outcomes()
    private let gate = Gate()

    init() throws {
        folder = try StorageFolder()
        let path = folder.path(of: "store.sqlite")
        connection = try SQLiteSchema.prepare(PrivateFile(path: path), in: PrivateDirectory(existing: folder.path)) {
            try SQLiteConnection(path: path, busyTimeout: .seconds(1))
        }
    }

    private func keys() async throws -> [String] {
        let store = try SQLiteStore(path: folder.path(of: "store.sqlite"))
        let keys = try store.read { try $0.list(kind).map(\.key) }
        await store.close()
        return keys
    }

    @Test func `close finishes the writes that are queued, and takes no more`() async throws {
        let writer = try SQLiteWriter(connection)
        let held = gate
        #expect(writer.submit(outcomes.job("first") { held.pass() }))
        await gate.reached()
        for number in 0..<5 { #expect(writer.submit(outcomes.job("\(number)"))) }
        writer.finish()
        #expect(!writer.submit(outcomes.job("late")))
        gate.open()
        await writer.close()
        #expect(outcomes.all == ["first": nil, "0": nil, "1": nil, "2": nil, "3": nil, "4": nil])
        #expect(try await keys() == ["0", "1", "2", "3", "4", "first"])
    }

    @Test func `a full disk undoes the whole batch, tells everyone in it, and the next is written`() async throws {
        try connection.execute("PRAGMA max_page_count = 16")
        let writer = try SQLiteWriter(connection)
        let held = gate
        #expect(writer.submit(outcomes.job("first") { held.pass() }))
        await gate.reached()
        // These share the next commit.
        for job in [outcomes.job("a"), outcomes.job("huge", 200_000), outcomes.job("b")] { #expect(writer.submit(job)) }
        gate.open()
        while outcomes.all.count < 4 { await Task.yield() }
        #expect(writer.submit(outcomes.job("next")))
        await writer.close()
        #expect(
            outcomes.all == [
                "first": nil, "a": .storeUnavailable, "huge": .storeUnavailable, "b": .storeUnavailable, "next": nil,
            ])
        #expect(try await keys() == ["first", "next"])
    }
}
