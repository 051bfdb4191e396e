import Basics
import FoundationEssentials
import LinuxPlatform
import Testing

/// The laboratory's program: what its first commands promise.
@Suite(.serialized) struct DemoTests {
    private static let limit: Duration = .seconds(120)

    private func lab(_ arguments: String...) async throws -> Finished {
        try await run(.lab, arguments)
    }

    private func run(_ program: Program, _ arguments: [String]) async throws -> Finished {
        let running = try await RunningProgram.start(
            program.path, arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": FileManager.default.temporaryDirectory.path])
        return await running.ended(within: Self.limit)
    }

    @Test(
        arguments: zip(
            ["client-initiated", "idp-initiated", "keychain"],
            [
                ["authrequest", "authresponse", "authack"], ["idpinit", "authrequest", "authresponse", "authack"],
                ["idpauthcodeinit", "authack"],
            ]))
    func `each flow ends in an account, and a kept home has the same one afterwards`(
        _ flow: String, _ commands: [String]
    ) async throws {
        let home = FileManager.default.temporaryDirectory.path + "/countersign-kept-\(RandomName.make())"
        defer { try? FileManager.default.removeItem(atPath: home) }
        let shown = try await lab("demo", "--flow", flow, "--keep", home, "--json").expect(0)
        let result = try JSONValue(parsing: shown.text)
        #expect(result["outcome"] == "success" && result["kind"]?.stringValue == flow)
        #expect(result["flow"]?.stringValue?.count == 36)
        #expect(result["commands"]?.arrayValue?.compactMap(\.stringValue) == commands)
        let subject = try #require(result["account"]?["subject"]?.stringValue)

        // Nothing of the demonstration serves any more: what the provider told at the login is said to be that.
        let told = try await run(.client, ["--home", home, "userinfo"]).expect(0)
        #expect(try JSONValue(parsing: told.text)["sub"]?.stringValue == subject)
        #expect(told.errors.contains { $0.contains("cannot be reached") })
        #expect(!shown.errors.contains { $0.contains("eyJ") }, "a token was told")

        let again = try await lab("demo", "--keep", home).expect(1, "demo-failed")
        #expect(again.nextStep?.contains("countersign home remove") == true)
    }

    @Test func `the simulation gives one transcript for one seed in two processes, and another for another`()
        async throws
    {
        let transcripts = [
            try await lab("simulate", "--seed", "7").expect(0).text,
            try await lab("simulate", "--seed", "7").expect(0).text,
            try await lab("simulate", "--seed", "8").expect(0).text,
        ]
        #expect(transcripts[0].contains("authack"))
        #expect(transcripts[0] == transcripts[1])
        #expect(transcripts[0] != transcripts[2])
    }
}

/// A name that no other test has.
private enum RandomName {
    static func make() -> String { String(UInt64.random(in: 0 ..< .max), radix: 36) }
}
