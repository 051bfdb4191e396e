import Basics
import Handoff
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `A command's replay mark` {
    private let now = Timestamp(seconds: 1_800_000_000)
    private let ledger = ReplayLedger()
    private let store = InMemoryRecordStore()

    private func command(_ number: UInt8) throws -> VerifiedCommand {
        let (client, idp) = (try Party("org.example.notes", .client), try Party("org.example.idp", .identityProvider))
        return try client.verified(.cancel, to: idp, flow: try FlowID(Pair.flow), number: number, now: now)
    }

    private func admit(_ command: VerifiedCommand, at time: Timestamp) async throws {
        try await store.write(.full) { [ledger] in try ledger.admit(command, now: time, in: $0) }
    }

    @Test func `lets it in once`() async throws {
        let (first, second) = (try command(1), try command(2))
        try await admit(first, at: now)
        await #expect(throws: Fault(.commandReplayed)) { try await admit(first, at: now) }
        try await admit(second, at: now)
    }

    @Test func `goes back when the transaction around it fails`() async throws {
        let first = try command(1)
        await #expect(throws: Fault(.commandUncorrelated)) {
            try await store.write(.full) { [ledger, now] transaction in
                try ledger.admit(first, now: now, in: transaction)
                throw Fault(.commandUncorrelated)
            }
        }
        try await admit(first, at: now)
    }

    @Test(.rule("S28")) func `that was purged revives nothing, even when the clock goes back`() async throws {
        let (taken, fresh) = (try command(1), try command(2))
        try await admit(taken, at: now)
        let later = now + .seconds(3_600)
        try await store.write(.normal) { [ledger] in try ledger.purge(now: later, in: $0) }
        await #expect(throws: Fault(.commandExpired)) { try await admit(taken, at: now) }
        // Nor one that would have expired at the same time: it could have been taken too.
        await #expect(throws: Fault(.commandExpired)) { try await admit(fresh, at: now) }
    }

    @Test func `that has not expired is kept by a purge`() async throws {
        let taken = try command(1)
        try await admit(taken, at: now)
        try await store.write(.normal) { [ledger, now] in try ledger.purge(now: now + .seconds(60), in: $0) }
        await #expect(throws: Fault(.commandReplayed)) { try await admit(taken, at: now) }
    }
}
