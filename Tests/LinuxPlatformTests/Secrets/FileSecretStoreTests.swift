import Basics
import Glibc
import LinuxPlatform
import Platform
import PlatformConformance
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct FileSecretStoreTests {
    private let folder: StorageFolder
    private let environment = Environment.live()

    init() throws { folder = try StorageFolder() }

    private func open() async throws -> FileSecretStore {
        try await FileSecretStore.open(directory: folder.path, environment: environment)
    }

    private func refusal() async -> Fault? {
        do {
            await (try await open()).close()
            return nil
        } catch {
            return error as? Fault
        }
    }

    private func makeSecret(_ text: String = "correct horse") async throws {
        let store = try await open()
        try await store.write("token", Secret(Array(text.utf8)))
        await store.close()
    }

    @Test(arguments: SecretStoreConformance.checks.map(\.name))
    func `sealed files keep the rule`(_ name: String) async throws {
        let store = try await open()
        for check in SecretStoreConformance.checks where check.name == name { try await check.run(store, environment) }
        await store.close()
    }

    @Test func `a secret outlives the store, and its text is in no file`() async throws {
        try await makeSecret("correct horse battery staple")
        let store = try await open()
        #expect(try await store.read("token") == Secret(Array("correct horse battery staple".utf8)))
        let needle = Array("horse battery".utf8)
        for name in try PrivateDirectory(existing: folder.path).names() {
            let bytes = try folder.bytes(of: name)
            let found = bytes.indices.contains { bytes[$0...].starts(with: needle) }
            #expect(!found, "\(name)")
            #expect(folder.mode(of: name) == 0o600)
        }
        await store.close()
    }

    @Test func `secrets under another key are refused and kept`() async throws {
        try await makeSecret()
        let key = try folder.bytes(of: "secrets.key")
        let sealed = try folder.bytes(of: "secrets.sqlite")
        try folder.set("secrets.key", to: key.map { $0 ^ 1 })
        #expect(await refusal()?.code == .secretUnreadable)
        #expect(try folder.bytes(of: "secrets.sqlite") == sealed)
        try folder.set("secrets.key", to: key)
        let store = try await open()
        #expect(try await store.read("token")?.unmasked == Array("correct horse".utf8))
        await store.close()
    }

    @Test(.rule("S31")) func `secrets without their key are refused, and no new key is made`() async throws {
        try await makeSecret()
        let key = try folder.bytes(of: "secrets.key")
        folder.remove("secrets.key")
        #expect(await refusal()?.code == .secretKeyMissing)
        #expect(!folder.exists("secrets.key"))
        try folder.set("secrets.key", to: key)
        #expect(await refusal() == nil)
    }

    @Test func `a key that others can read is refused with the command that closes it`() async throws {
        try await makeSecret()
        chmod(folder.path(of: "secrets.key"), 0o640)
        let fault = await refusal()
        #expect(fault?.code == .unsafePermissions)
        #expect(fault?.nextStep.hasSuffix("chmod 600 \(folder.path(of: "secrets.key"))") == true)
        chmod(folder.path(of: "secrets.key"), 0o600)
        #expect(await refusal() == nil)
    }

    @Test func `a key of another length is refused and kept`() async throws {
        try await makeSecret()
        try folder.set("secrets.key", to: [1, 2, 3])
        #expect(await refusal()?.code == .secretUnreadable)
        #expect(try folder.bytes(of: "secrets.key") == [1, 2, 3])
    }

    @Test(.rule("S31")) func `a damaged file of secrets is refused and kept`() async throws {
        try await makeSecret()
        let garbage = [UInt8](repeating: 0x5A, count: 3_000)
        try folder.set("secrets.sqlite", to: garbage)
        #expect(await refusal()?.code == .storeUnreadable)
        #expect(try folder.bytes(of: "secrets.sqlite") == garbage)
    }

    @Test func `a sealed value under another secret's name does not open, under its own it does`() async throws {
        let store = try await open()
        try await store.write("a", Secret([1]))
        try await store.write("b", Secret([2]))
        let rows = try SQLiteStore(path: folder.path(of: "secrets.sqlite"))
        try await rows.write(.full) { transaction in
            let kind = RecordKind("secret")
            guard var moved = try transaction.find(kind, "a") else { return }
            moved.key = "b"
            try transaction.put(moved)
        }
        await rows.close()
        #expect(try await store.read("a")?.unmasked == [1])
        await #expect(throws: Fault(.secretUnreadable)) { try await store.read("b") }
        await store.close()
    }

    @Test func `many that open new secrets at once share one key`() async throws {
        let stores = try await withThrowingTaskGroup(of: FileSecretStore.self) { group in
            for _ in 0..<6 { group.addTask { [self] in try await open() } }
            return try await group.reduce(into: [FileSecretStore]()) { $0.append($1) }
        }
        for (number, store) in stores.enumerated() {
            try await store.write("\(number)", Secret([UInt8(number)]))
        }
        for number in stores.indices {
            let next = stores[(number + 1) % stores.count]
            #expect(try await next.read("\(number)")?.unmasked == [UInt8(number)])
        }
        for store in stores { await store.close() }
    }
}
