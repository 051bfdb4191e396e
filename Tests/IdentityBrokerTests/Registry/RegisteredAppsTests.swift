import Basics
import Handoff
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import Testing

@testable import IdentityBroker

@Suite struct `Registered apps` {
    private let records = InMemoryRecordStore()

    @Test func `are read anew: a row that was added, changed or removed counts from the next use`() async throws {
        let id = try AppID("org.example.notes")
        let apps = RegisteredApps(store: records)
        #expect(try apps.find(id) == nil)

        let first = try SomeKeys()
        try await records.write(.full) { [entry = try first.entry(id)] in try AppRegistry.put(entry, in: $0) }
        #expect(try apps.find(id)?.peer.encryptionKey == first.keys.encryption.encryptionKey)
        #expect(try apps.find(id)?.oauthKey.thumbprint == first.keys.oauth.thumbprint)

        let second = try SomeKeys()
        try await records.write(.full) { [entry = try second.entry(id)] in try AppRegistry.put(entry, in: $0) }
        #expect(try apps.find(id)?.oauthKey.thumbprint == second.keys.oauth.thumbprint)

        _ = try await records.write(.full) { try AppRegistry.remove(id, in: $0) }
        #expect(try apps.find(id) == nil)
    }
}
