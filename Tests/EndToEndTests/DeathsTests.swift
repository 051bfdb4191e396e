import Basics
import FoundationEssentials
import IdentityBroker
import IdentityClient
import OpenIDProvider
import Platform
import Testing

/// The kill table as the command prints it: real processes, and the simulation beside them.
@Suite(.serialized) struct DeathsTests {
    private func lab(_ arguments: String...) async throws -> Finished {
        let running = try await RunningProgram.start(
            Program.lab.path, arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": FileManager.default.temporaryDirectory.path])
        return await running.ended(within: .seconds(300))
    }

    @Test
    func `a process that is killed at any boundary leaves a login that completed once, or one that can be tried again`()
        async throws
    {
        let all = try await lab("deaths", "--simulated-only", "--json").expect(0).json()
        let boundaries = Set(try #require(all["rows"]?.arrayValue).compactMap { $0["boundary"]?.stringValue })
        let lists = [Boundary.client, Boundary.clientLogout, Boundary.broker, Boundary.brokerLogout, Boundary.provider]
        #expect(boundaries == Set(lists.joined().map(\.rawValue)))
        #expect(all["boundaries"]?.integerValue == Int64(boundaries.count))

        let table = try await lab("deaths", "--flow", "client-initiated", "--json").expect(0).json()
        let rows = try #require(table["rows"]?.arrayValue)
        #expect(rows.count >= 13)
        for row in rows {
            for kind in ["simulated", "real"] {
                let outcome = row["outcomes"]?[kind]
                let isAllowed = outcome?["outcome"] == "completed" || outcome?["retryable"] == true
                #expect(isAllowed, "\(kind): \(row)")
            }
        }
    }

    @Test func `one boundary can be asked for, and only one that the flow passes`() async throws {
        let one = try await lab("deaths", "--simulated-only", "--at", "client.answer-taken", "--flow", "keychain")
        #expect(one.expect(0).text.contains("1 boundaries, 1 deaths"))
        try await lab("deaths", "--simulated-only", "--at", "client.request-sent", "--flow", "keychain").expect(
            2, "invalid-value")
    }
}
