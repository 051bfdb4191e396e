import Basics
import Handoff
import JOSE
import OpenIDConnect
import Platform
import TestSupport
import Testing

@testable import IdentityBroker

@Suite struct `A consent on record` {
    private let records = InMemoryRecordStore()

    private func consent(_ change: (inout ConsentRecord) throws -> Void = { _ in }) throws -> ConsentRecord {
        var record = ConsentRecord(
            issuer: "http://localhost:8123", subject: "s1", clientID: try ClientID("org.example.notes"),
            key: try KeyThumbprint("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"),
            scope: try ScopeSet("openid profile"),
            givenAt: Timestamp(seconds: 5))
        try change(&record)
        return record
    }

    private func isKnown(_ record: ConsentRecord) throws -> Bool {
        try records.read { try ConsentRecord.exists(record, in: $0) }
    }

    @Test(.rule("S24")) func `counts for exactly that issuer, subject, client, key and scope set`() async throws {
        let given = try consent()
        try await records.write(.full) { try given.put(in: $0) }
        #expect(try isKnown(given))
        #expect(try isKnown(try consent { $0.givenAt = Timestamp(seconds: 9) }))
        #expect(try isKnown(try consent { $0.scope = try ScopeSet("profile openid") }))

        let others: [(inout ConsentRecord) throws -> Void] = [
            { $0.issuer = "http://localhost:8124" }, { $0.subject = "s2" },
            { $0.clientID = try ClientID("org.example.photos") },
            { $0.key = try KeyThumbprint("aaaLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs") },
            { $0.scope = try ScopeSet("openid") }, { $0.scope = try ScopeSet("openid profile email") },
        ]
        for other in others { #expect(try !isKnown(try consent(other))) }
    }

    @Test func `goes with the app that it was given to`() async throws {
        let given = try consent()
        let id = try AppID("org.example.notes")
        let keys = try SomeKeys()
        try await records.write(.full) { transaction in
            try AppRegistry.put(try keys.entry(id), in: transaction)
            try given.put(in: transaction)
        }
        #expect(try await records.write(.full) { try AppRegistry.remove(id, in: $0) })
        #expect(try !isKnown(given))
    }
}
