package import Basics
import JOSE
package import Platform

/// One app's secrets, sealed with AES-256-GCM under a key that lies beside them in the same private folder.
///
/// The key keeps secrets out of copies of the store and of its logs; it does not keep them from a program of the same
/// user. The name of a secret is part of what is sealed, so secrets cannot be exchanged for each other.
package final class FileSecretStore: SecretStore {
    private static let kind = RecordKind("secret")
    private static let markKind = RecordKind("secret-key")
    private static let mark = "mark"
    private static let keyCount = 32

    private let store: SQLiteStore
    private let key: Secret<[UInt8]>

    private init(store: SQLiteStore, key: Secret<[UInt8]>) {
        self.store = store
        self.key = key
    }

    /// Opens the secrets in a folder (`secrets.key`, `secrets.sqlite`); makes them where there are none.
    ///
    /// - Throws: `unsafe-permissions` or `unsafe-path` when others can reach a file; `secret-key-missing` when there
    ///   are secrets and no key; `secret-unreadable` when the key is not theirs; `store-unreadable` when the file is
    ///   damaged. All is left as it is.
    package static func open(directory path: String, environment: Environment) async throws -> FileSecretStore {
        let directory = try PrivateDirectory(creating: path)
        let keyFile = directory.file("secrets.key")
        // Read before the store is opened: a key that others can read is refused before anything is made.
        var key = try readKey(keyFile)
        let store = try SQLiteStore(path: directory.path(of: "secrets.sqlite"))
        do {
            if key == nil {
                let isNew = try store.read { try $0.find(markKind, mark) } == nil
                // Of two processes that start at once, one makes the key and both read it. The key is made before the
                // mark, so one that finds the mark finds the key now, or it has been lost.
                if isNew { _ = try keyFile.create(environment.randomBytes(keyCount)) }
                key = try readKey(keyFile)
            }
            guard let key else { throw Fault(.secretKeyMissing, detail: keyFile.path) }
            let secrets = FileSecretStore(store: store, key: key)
            try await secrets.requireMark()
            return secrets
        } catch {
            await store.close()
            throw error
        }
    }

    package func read(_ name: String) async throws -> Secret<[UInt8]>? {
        guard let record = try store.read({ try $0.find(FileSecretStore.kind, name) }) else { return nil }
        return Secret(try opened(record))
    }

    package func write(_ name: String, _ value: Secret<[UInt8]>) async throws {
        let record = try sealed(FileSecretStore.kind, name, value.unmasked)
        try await store.write(.full) { try $0.put(record) }
    }

    @discardableResult
    package func remove(_ name: String) async throws -> Bool {
        try await store.write(.full) { try $0.remove(FileSecretStore.kind, name) }
    }

    package func names() async throws -> [String] {
        try store.read { try $0.list(FileSecretStore.kind).map(\.key) }.sorted()
    }

    /// Finishes what is being written and closes the file.
    package func close() async { await store.close() }

    private static func readKey(_ file: PrivateFile) throws -> Secret<[UInt8]>? {
        guard let bytes = try file.read(atMost: 1_024) else { return nil }
        guard bytes.count == keyCount else {
            throw Fault(.secretUnreadable, "The key file is damaged: \(file.path)", detail: "\(bytes.count) bytes")
        }
        return Secret(bytes)
    }

    /// Finds out whether the key is the one this store was made with, before anything is sealed with another.
    private func requireMark() async throws {
        let mark = try sealed(FileSecretStore.markKind, FileSecretStore.mark, [])
        let found = try await store.write(.full) { transaction in
            _ = try transaction.insert(mark)
            return try transaction.find(mark.kind, mark.key)
        }
        _ = try opened(found ?? mark)
    }

    private func sealed(_ kind: RecordKind, _ name: String, _ value: [UInt8]) throws -> Record {
        let box = try SealedBox.seal(value, key: key, associatedData: SealingContext.bytes(kind.name, name))
        return Record(kind: kind, key: name, value: box)
    }

    private func opened(_ record: Record) throws -> [UInt8] {
        do {
            let context = SealingContext.bytes(record.kind.name, record.key)
            return try SealedBox.open(record.value, key: key, associatedData: context)
        } catch {
            throw Fault(.secretUnreadable, detail: "\(record.kind) \(record.key)", underlying: error)
        }
    }
}
