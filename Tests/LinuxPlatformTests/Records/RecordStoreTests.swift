import Basics
import LinuxPlatform
import Platform
import PlatformConformance
import Testing

private struct Refused: Error {}
private let kind = RecordKind("test.row")

private func row(_ key: String, _ value: [UInt8] = [1]) -> Record { Record(kind: kind, key: key, value: value) }

@Suite(.timeLimit(.minutes(2)))
struct RecordStoreTests {
    private let folder: StorageFolder

    init() throws { folder = try StorageFolder() }

    private func store(_ name: String = "store.sqlite", busyTimeout: Duration = .seconds(5)) throws -> SQLiteStore {
        try SQLiteStore(path: folder.path(of: name), busyTimeout: busyTimeout)
    }

    @Test(arguments: RecordStoreConformance.checks.map(\.name))
    func `SQLite keeps the rule`(_ name: String) async throws {
        let store = try store()
        let environment = Environment.live()
        for check in RecordStoreConformance.checks where check.name == name { try await check.run(store, environment) }
        await store.close()
    }

    @Test func `all rules hold on one store together`() async throws {
        let store = try store()
        let environment = Environment.live()
        for check in RecordStoreConformance.checks { try await check.run(store, environment) }
        await store.close()
    }

    @Test func `of two stores on one file that race for a row exactly one takes it`() async throws {
        let one = try store()
        let two = try store()
        for round in 0..<150 {
            try await one.write(.normal) { try $0.put(row("code \(round)")) }
            async let first = one.write(.normal) { try $0.take(kind, "code \(round)") != nil }
            async let second = two.write(.normal) { try $0.take(kind, "code \(round)") != nil }
            let winners = [try await first, try await second].count { $0 }
            #expect(winners == 1, "round \(round)")
        }
        await one.close()
        await two.close()
    }

    @Test func `a body that throws rolls back alone among those under the same commit`() async throws {
        let store = try store()
        let gate = Gate()
        async let holding: Void = store.write(.normal) { _ in gate.pass() }
        await gate.reached()
        // All of these wait while the writer is held, so they share a commit.
        let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    do {
                        try await store.write(number.isMultiple(of: 5) ? .full : .normal) { transaction in
                            try transaction.put(row("\(number)"))
                            if number.isMultiple(of: 4) { throw Refused() }
                        }
                        return true
                    } catch is Refused {
                        return false
                    }
                }
            }
            gate.open()
            return try await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        try await holding
        #expect(outcomes.count { $0 } == 30)
        let keys = Set(try store.read { try $0.list(kind).map(\.key) })
        #expect(keys == Set((0..<40).filter { !$0.isMultiple(of: 4) }.map(String.init)))
        await store.close()
    }

    @Test func `when a batch cannot be committed all who wait get the error and the store goes on`() async throws {
        let holder = try store()
        let waiter = try store(busyTimeout: .milliseconds(30))
        let gate = Gate()
        async let holding: Void = holder.write(.normal) { _ in gate.pass() }
        await gate.reached()
        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            for number in 0..<8 {
                group.addTask {
                    do {
                        try await waiter.write(.full) { try $0.put(row("\(number)")) }
                        return nil
                    } catch {
                        return (error as? Fault)?.code
                    }
                }
            }
            return await group.reduce(into: [ErrorCode?]()) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .storeUnavailable, count: 8))
        gate.open()
        try await holding
        try await waiter.write(.full) { try $0.put(row("after")) }
        #expect(try holder.read { try $0.list(kind).map(\.key) } == ["after"])
        await holder.close()
        await waiter.close()
    }

    @Test func `a read goes on beside a write that is not committed, and does not see it`() async throws {
        let store = try store()
        try await store.write(.normal) { try $0.put(row("before")) }
        let gate = Gate()
        async let writing: Void = store.write(.normal) { transaction in
            try transaction.put(row("later"))
            gate.pass()
        }
        await gate.reached()
        let nested = try store.read { outer in
            (try outer.list(kind).count, try store.read { try $0.list(kind).count })
        }
        #expect(nested == (1, 1))
        gate.open()
        try await writing
        #expect(try store.read { try $0.list(kind).count } == 2)
        await store.close()
    }

    @Test func `a closed store refuses reads and writes, and keeps what it had`() async throws {
        let store = try store()
        try await store.write(.full) { try $0.put(row("kept")) }
        await store.close()
        await store.close()
        await #expect(throws: Fault(.storeUnavailable)) { try await store.write(.full) { try $0.put(row("late")) } }
        #expect(throws: Fault(.storeUnavailable)) { try store.read { try $0.list(kind).count } }
        let again = try self.store()
        #expect(try again.read { try $0.list(kind).map(\.key) } == ["kept"])
        await again.close()
    }

    @Test func `a store that is let go without close still finishes its writes`() async throws {
        do {
            let store = try store()
            try await store.write(.full) { try $0.put(row("kept")) }
        }
        let again = try store()
        #expect(try again.read { try $0.find(kind, "kept") } == row("kept"))
        await again.close()
    }
}
