import Basics
import IdentityClient
import JOSE
import Platform
import Synchronization
import TestSupport
import Testing

@Suite struct `New keys of an app` {
    /// Secrets whose owner dies after so many changes.
    private final class DyingStore: SecretStore {
        struct Death: Error {}
        private let inner: any SecretStore
        private let left: Mutex<Int>

        init(_ inner: any SecretStore, changes: Int) {
            self.inner = inner
            left = Mutex(changes)
        }

        private func change() throws {
            try left.withLock { left in
                guard left > 0 else { throw Death() }
                left -= 1
            }
        }

        func read(_ name: String) async throws -> Secret<[UInt8]>? { try await inner.read(name) }
        func names() async throws -> [String] { try await inner.names() }
        func write(_ name: String, _ value: Secret<[UInt8]>) async throws {
            try change()
            try await inner.write(name, value)
        }
        func remove(_ name: String) async throws -> Bool {
            try change()
            return try await inner.remove(name)
        }
    }

    private let secrets = InMemorySecretStore()
    private let first: AppKeys
    private let next: KeyRotation.Next
    private let now = Timestamp(seconds: 1_000)
    private let ends = Timestamp(seconds: 2_000)

    init() async throws {
        first = try AppKeys.generate { [UInt8](repeating: 3, count: $0) }
        next = try KeyRotation.Next.generate(command: .edDSA)
        try await first.save(to: secrets)
    }

    private func opens(_ key: KeyThumbprint, at time: Timestamp) async throws -> Bool {
        try await AppKeys.load(from: secrets).decryptionKeys(at: time).contains { $0.thumbprint == key }
    }

    @Test func `open what is encrypted to them before anybody is told, and sign only after that`() async throws {
        let rotation = KeyRotation(secrets: secrets)
        #expect(try await rotation.prepared() == nil)
        try await rotation.prepare(next)
        #expect(try await opens(next.encryption.thumbprint, at: now))
        #expect(try await AppKeys.load(from: secrets).command.keyID == first.command.keyID)
        try await rotation.promote(ends: ends, now: now)
        let keys = try await AppKeys.load(from: secrets)
        #expect(keys.command.keyID == next.command.keyID)
        #expect(keys.command.algorithm == .edDSA)
        #expect(keys.encryption.thumbprint == next.encryption.thumbprint)
        #expect(keys.oauth.keyID == first.oauth.keyID)
        #expect(try await rotation.prepared() == nil)
    }

    @Test(.rule("M8")) func `leave the old key for receiving until its date, to the moment`() async throws {
        let rotation = KeyRotation(secrets: secrets)
        try await rotation.prepare(next)
        try await rotation.promote(ends: ends, now: now)
        let old = first.encryption.thumbprint
        #expect(try await opens(old, at: Timestamp(microseconds: ends.microseconds - 1)))
        #expect(try await !opens(old, at: ends))
        #expect(try await rotation.former().map(\.thumbprint).contains(old))
        #expect(try await rotation.drop(old))
        #expect(try await rotation.drop(old) == false)
        #expect(try await !opens(old, at: now))
    }

    @Test func `leave the old OAuth key for what is bound to it until its date, where it is replaced at all`()
        async throws
    {
        let rotation = KeyRotation(secrets: secrets)
        // Left of a change that was cut off: it does not come into use with another one.
        try await rotation.prepare(next.replacingOAuth())
        try await rotation.prepare(next)
        try await rotation.promote(ends: ends, now: now)
        #expect(try await AppKeys.load(from: secrets).oauth.keyID == first.oauth.keyID)

        let second = try KeyRotation.Next.generate(command: .es256, replacingOAuth: true)
        try await rotation.prepare(second)
        #expect(try await AppKeys.load(from: secrets).oauth.keyID == first.oauth.keyID)
        try await rotation.promote(ends: ends, now: now)
        let (old, keys) = (first.oauth.keyID, try await AppKeys.load(from: secrets))
        #expect(keys.oauth.keyID == second.oauth?.keyID)
        #expect(keys.oauth(boundTo: old, at: Timestamp(microseconds: ends.microseconds - 1)).keyID == old)
        #expect(keys.oauth(boundTo: old, at: ends).keyID == keys.oauth.keyID)
        #expect(keys.oauth(boundTo: nil, at: now).keyID == keys.oauth.keyID)
        #expect(try await rotation.former().contains { $0.use == "oauth" && $0.thumbprint.value == old })
        #expect(try await rotation.drop(first.oauth.thumbprint))
        #expect(try await AppKeys.load(from: secrets).oauth(boundTo: old, at: now).keyID == keys.oauth.keyID)
    }

    @Test(arguments: [false, true])
    func `come into use whole, wherever the change was cut off, when it is done again`(_ replacesOAuth: Bool)
        async throws
    {
        let next = replacesOAuth ? try next.replacingOAuth() : next
        var changes = 0
        while true {
            let secrets = InMemorySecretStore()
            try await first.save(to: secrets)
            let dying = KeyRotation(secrets: DyingStore(secrets, changes: changes))
            do {
                try await dying.prepare(next)
                try await dying.promote(ends: ends, now: now)
                break
            } catch is DyingStore.Death {}
            // At each moment there are keys that fit each other, and both for receiving once both were told.
            let between = try await AppKeys.load(from: secrets)
            #expect(between.decryptionKeys(at: now).contains { $0.thumbprint == first.encryption.thumbprint })
            let rotation = KeyRotation(secrets: secrets)
            if try await rotation.prepared() == nil { try await rotation.prepare(next) }
            try await rotation.promote(ends: ends, now: now)
            let keys = try await AppKeys.load(from: secrets)
            #expect(keys.command.keyID == next.command.keyID, "after \(changes) changes")
            #expect(keys.encryption.thumbprint == next.encryption.thumbprint)
            #expect(keys.decryptionKeys(at: now).contains { $0.thumbprint == first.encryption.thumbprint })
            #expect(keys.oauth.keyID == (next.oauth ?? first.oauth).keyID)
            #expect(keys.oauth(boundTo: first.oauth.keyID, at: now).keyID == first.oauth.keyID)
            #expect(try await rotation.prepared() == nil)
            changes += 1
        }
        #expect(changes == (replacesOAuth ? 12 : 9))
    }

    @Test func `are found by a program that runs, at its next use`() async throws {
        let keyring = AppKeyring(secrets: secrets)
        #expect(try await keyring.current().command.keyID == first.command.keyID)
        let rotation = KeyRotation(secrets: secrets)
        try await rotation.prepare(next)
        try await rotation.promote(ends: ends, now: now)
        #expect(try await keyring.current().command.keyID == next.command.keyID)
    }
}
