import Basics
import Handoff
import IdentityBroker
import IdentityClient
import JOSE
import OpenIDConnect
import Platform
import Testing

@Suite struct `The app registry` {
    private let records = InMemoryRecordStore()

    @Test func `takes an app with keys for their use, and none with a key for another`() async throws {
        let id = try AppID("org.example.notes")
        let keys = try SomeKeys()
        let entry = try keys.entry(id)
        try await records.write(.full) { try AppRegistry.put(entry, in: $0) }
        #expect(try records.read { try AppRegistry.find(id, in: $0) }?.clientID.text == id.text)

        var command = entry
        command.commandKey = keys.keys.encryption.encryptionKey.jwk.json.serializedText
        var encryption = entry
        encryption.encryptionKey = keys.keys.command.verificationKey.jwk.json.serializedText
        for wrong in [command, encryption] {
            await #expect(throws: Fault(.unfitKey)) {
                _ = try await records.write(.full) { try AppRegistry.put(wrong, in: $0) }
            }
        }
    }

    @Test func `says whether there was an app to remove`() async throws {
        let id = try AppID("org.example.notes")
        let entry = try SomeKeys().entry(id)
        try await records.write(.full) { try AppRegistry.put(entry, in: $0) }
        #expect(try await records.write(.full) { try AppRegistry.remove(id, in: $0) })
        #expect(try await records.write(.full) { try AppRegistry.remove(id, in: $0) } == false)
        #expect(try records.read { try AppRegistry.list(in: $0) }.isEmpty)
    }
}
