import Basics
import OpenIDProvider
import Platform
import Testing

@Suite struct `The provider's journal` {
    private let context = "00-3abacd78c4404d88a16da1ae6e591107-0001020304050607-01"
    private let flow = "3abacd78-c440-4d88-a16d-a1ae6e591107"

    @Test func `has a line for each request that names its flow, and what was decided for it carries the same`()
        async throws
    {
        let world = try await World()
        _ = await world.get("/jwks", headers: ["traceparent": context])
        _ = await world.post(.token, [("grant_type", "none")], headers: ["traceparent": context])
        let entries = world.journal.entries
        #expect(entries.map(\.kind) == [.served, .refused, .served])
        #expect(entries.map(\.message).first == "GET /jwks → 200")
        for entry in entries {
            #expect(entry.flow == flow)
            #expect(entry.fields["span"] == "0001020304050607")
        }
        #expect(entries[2].fields["status"] == 400)
    }

    @Test func `has none for a request that names no flow, or in another form`() async throws {
        let world = try await World()
        for header in [nil, "", "00-zz-0001020304050607-01", context + "-more"] {
            _ = await world.get("/jwks", headers: header.map { ["traceparent": $0] } ?? [:])
        }
        #expect(world.journal.entries.isEmpty)
        _ = await world.post(.token, [("grant_type", "none")])
        #expect(world.journal.entries.map(\.flow) == [nil])
    }
}
