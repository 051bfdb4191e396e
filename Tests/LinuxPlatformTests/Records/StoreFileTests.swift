import Basics
import Glibc
import LinuxPlatform
import Platform
import TestSupport
import Testing

private let kind = RecordKind("test.file")

@Suite(.timeLimit(.minutes(2)))
struct StoreFileTests {
    private let folder: StorageFolder

    init() throws { folder = try StorageFolder() }

    private var path: String { folder.path(of: "store.sqlite") }

    /// Makes a store with one row, and closes it.
    private func makeStore() async throws {
        let store = try SQLiteStore(path: path)
        try await store.write(.full) { try $0.put(Record(kind: kind, key: "a", value: [1])) }
        await store.close()
    }

    private func refusal() -> Fault? {
        do {
            _ = try SQLiteStore(path: path)
            return nil
        } catch {
            return error as? Fault
        }
    }

    /// Writes a number into the header of the file (the SQLite file format, §1.3).
    private func patchHeader(at offset: Int, _ number: UInt32) throws {
        var bytes = try folder.bytes(of: "store.sqlite")
        for (index, shift) in [24, 16, 8, 0].enumerated() {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(shift))
        }
        try folder.set("store.sqlite", to: bytes)
    }

    private let userVersionOffset = 60
    private let applicationIDOffset = 68

    @Test func `a store is made 0600 in a folder made 0700, its side files too`() async throws {
        let store = try SQLiteStore(path: folder.path(of: "new/deep/store.sqlite"))
        try await store.write(.full) { try $0.put(Record(kind: kind, key: "a", value: [1])) }
        #expect(folder.mode(of: "new") == 0o700)
        #expect(folder.mode(of: "new/deep") == 0o700)
        #expect(folder.mode(of: "new/deep/store.sqlite") == 0o600)
        #expect(folder.mode(of: "new/deep/store.sqlite-wal") == 0o600)
        #expect(folder.mode(of: "new/deep/store.sqlite-shm") == 0o600)
        await store.close()
    }

    @Test(.rule("S30")) func `a store that others can read is refused with the command that closes it`() async throws {
        try await makeStore()
        chmod(path, 0o640)
        let fault = refusal()
        #expect(fault?.code == .unsafePermissions)
        #expect(fault?.nextStep.hasSuffix("chmod 600 \(path)") == true)
        chmod(path, 0o600)
        #expect(refusal() == nil)
    }

    @Test func `a folder that others can enter is refused with the command that closes it`() async throws {
        try await makeStore()
        chmod(folder.path, 0o750)
        let fault = refusal()
        #expect(fault?.code == .unsafePermissions)
        #expect(fault?.nextStep.hasSuffix("chmod 700 \(folder.path)") == true)
        chmod(folder.path, 0o700)
        #expect(refusal() == nil)
    }

    @Test func `a link in the place of a store is refused, a plain file is not`() async throws {
        try await makeStore()
        rename(path, folder.path(of: "elsewhere"))
        symlink(folder.path(of: "elsewhere"), path)
        #expect(refusal()?.code == .unsafePath)
        unlink(path)
        rename(folder.path(of: "elsewhere"), path)
        #expect(refusal() == nil)
    }

    @Test func `a store of a newer schema is refused and left as it is`() async throws {
        try await makeStore()
        try patchHeader(at: userVersionOffset, 2)
        let before = try folder.bytes(of: "store.sqlite")
        #expect(refusal()?.code == .storeTooNew)
        #expect(try folder.bytes(of: "store.sqlite") == before)
        try patchHeader(at: userVersionOffset, 1)
        let store = try SQLiteStore(path: path)
        #expect(try store.read { try $0.list(kind).count } == 1)
        await store.close()
    }

    @Test func `a database of another program is refused and left as it is`() async throws {
        try await makeStore()
        try patchHeader(at: applicationIDOffset, 7)
        let before = try folder.bytes(of: "store.sqlite")
        #expect(refusal()?.code == .storeUnreadable)
        try patchHeader(at: applicationIDOffset, 0)
        try patchHeader(at: userVersionOffset, 0)
        #expect(refusal()?.code == .storeUnreadable, "unmarked, but with tables")
        try patchHeader(at: applicationIDOffset, 7)
        try patchHeader(at: userVersionOffset, 1)
        #expect(try folder.bytes(of: "store.sqlite") == before)
    }

    @Test(.rule("S31"), arguments: [1, 15, 100, 511, 512, 4_096, 20_000])
    func `a file that is no database is refused and left as it is`(_ count: Int) throws {
        let garbage = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        try folder.set("store.sqlite", to: garbage)
        #expect(refusal()?.code == .storeUnreadable)
        #expect(try folder.bytes(of: "store.sqlite") == garbage)
    }

    @Test(.rule("T67")) func `a database with a damaged page is never written over`() async throws {
        try await makeStore()
        var bytes = try folder.bytes(of: "store.sqlite")
        for index in 4_096..<bytes.count { bytes[index] = 0xA5 }
        try folder.set("store.sqlite", to: bytes)
        do {
            let store = try SQLiteStore(path: path)
            #expect(throws: Fault(.storeUnreadable)) { try store.read { try $0.find(kind, "a") } }
            await #expect(throws: Fault(.storeUnreadable)) {
                try await store.write(.full) { try $0.put(Record(kind: kind, key: "b", value: [])) }
            }
            await store.close()
        }
        #expect(try folder.bytes(of: "store.sqlite") == bytes)
    }

    @Test func `an empty file left by a crash becomes a store`() async throws {
        try folder.set("store.sqlite", to: [])
        try await makeStore()
        #expect(refusal() == nil)
    }

    @Test func `many that open a new store at once all get the same one`() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    let store = try SQLiteStore(path: path)
                    try await store.write(.full) { try $0.put(Record(kind: kind, key: "\(number)", value: [])) }
                    await store.close()
                }
            }
            try await group.waitForAll()
        }
        let store = try SQLiteStore(path: path)
        #expect(try store.read { try $0.list(kind).count } == 6)
        await store.close()
    }
}
