import Basics
import Platform
import PlatformConformance
import Testing

/// Runs a conformance check in worlds of several seeds, and on Swift's own threads.
func inManyOrders(_ check: @escaping @Sendable (Environment) async throws -> Void) async throws {
    for seed: UInt64 in 1...5 {
        try Simulation(seed: seed).run { environment in try await check(environment) }
    }
    let environment = Environment.fixed()
    try await check(environment)
    await environment.stop()
}

@Suite struct `The forms in memory keep the protocols' rules` {
    @Test(arguments: RecordStoreConformance.checks.map { $0.name })
    func `record store`(name: String) async throws {
        let check = try #require(RecordStoreConformance.checks.first { $0.name == name })
        try await inManyOrders { environment in try await check.run(InMemoryRecordStore(), environment) }
    }

    @Test func `all record store rules hold on one store`() async throws {
        let store = InMemoryRecordStore()
        let environment = Environment.fixed()
        for check in RecordStoreConformance.checks { try await check.run(store, environment) }
        await environment.stop()
    }

    @Test func `all record store rules hold through one owner's eyes`() async throws {
        let store = ScopedRecordStore(InMemoryRecordStore(), owner: "owner")
        let environment = Environment.fixed()
        for check in RecordStoreConformance.checks { try await check.run(store, environment) }
        await environment.stop()
    }

    @Test(arguments: CommandBusConformance.checks.map { $0.name })
    func `command bus`(name: String) async throws {
        let check = try #require(CommandBusConformance.checks.first { $0.name == name })
        try await inManyOrders { environment in
            let daemon = InMemoryBusDaemon(environment: environment)
            try await check.run({ daemon.connect() }, environment)
        }
    }

    @Test func `all command bus rules hold on one bus`() async throws {
        try await inManyOrders { environment in
            let daemon = InMemoryBusDaemon(environment: environment)
            for check in CommandBusConformance.checks { try await check.run({ daemon.connect() }, environment) }
        }
    }

    @Test(arguments: SecretStoreConformance.checks.map { $0.name })
    func `secret store`(name: String) async throws {
        let check = try #require(SecretStoreConformance.checks.first { $0.name == name })
        try await inManyOrders { environment in try await check.run(InMemorySecretStore(), environment) }
    }

    @Test(arguments: SharedSecretStoreConformance.checks.map { $0.name })
    func `secret group`(name: String) async throws {
        let check = try #require(SharedSecretStoreConformance.checks.first { $0.name == name })
        try await inManyOrders { environment in
            let group = InMemorySecretGroup(members: Set(SharedSecretStoreConformance.members))
            try await check.run({ group.store(for: $0) }, environment)
        }
    }
}

/// A store that loses every second write, to see that the rules notice.
private struct ForgetfulStore: RecordStore {
    let store = InMemoryRecordStore()

    func write<Result: Sendable>(
        _ durability: Durability, _ body: @escaping @Sendable (borrowing Transaction) throws -> Result
    ) async throws -> Result {
        durability == .full ? try await InMemoryRecordStore().write(.full, body) : try await store.write(.normal, body)
    }

    func read<Result: Sendable>(_ body: @Sendable (borrowing Snapshot) throws -> Result) throws -> Result {
        try store.read(body)
    }
}

@Suite struct `The rules can be broken` {
    @Test func `a store that forgets writes breaks rules of the record store`() async throws {
        let environment = Environment.fixed()
        var broken = 0
        for check in RecordStoreConformance.checks {
            do { try await check.run(ForgetfulStore(), environment) } catch is ConformanceFailure { broken += 1 }
        }
        #expect(broken >= 5)
        await environment.stop()
    }

    @Test func `a group that everybody belongs to breaks rules of the shared store`() async throws {
        let environment = Environment.fixed()
        var broken: [String] = []
        for check in SharedSecretStoreConformance.checks {
            let everybody = SharedSecretStoreConformance.members + [SharedSecretStoreConformance.outsider]
            let group = InMemorySecretGroup(members: Set(everybody))
            do {
                try await check.run({ group.store(for: $0) }, environment)
            } catch is ConformanceFailure { broken.append(check.name) }
        }
        #expect(broken.count == 2)
        await environment.stop()
    }
}
