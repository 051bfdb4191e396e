import Basics
import FoundationEssentials
import Platform
import Testing

/// `countersign run` as its users type it.
@Suite(.serialized) struct RunTests {
    private let examples = Repository.path("Examples/handoffs")

    private func run(_ arguments: [String]) async throws -> Finished {
        let running = try await RunningProgram.start(
            Program.lab.path, ["run"] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "HOME": FileManager.default.temporaryDirectory.path])
        return await running.ended(within: .seconds(600))
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/countersign-run-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func write(_ steps: String, tags: String = "[]", to path: String) throws {
        let text =
            "script: a test\ntags: \(tags)\nactors: { idp: { role: idp, users: [alice] }, notes: { role: client } }\nsteps:\n"
        try Data((text + steps).utf8).write(to: URL(filePath: path))
    }

    @Test func `the scripts of the repository go as written, with real processes too`() async throws {
        for place in [[], ["--real"]] {
            let result = try await run([examples, "--json"] + place).expect(0).json()
            #expect(result["good"] == true)
            #expect(result["results"]?.arrayValue?.count == ScriptFolder.count(examples))
            let stages = Set(result["results"]?.arrayValue?.compactMap { $0["stage"]?.stringValue } ?? [])
            #expect(stages == [place.isEmpty ? "simulated" : "real"])
        }
    }

    @Test func `a step that goes otherwise is exit code 1, with its place, its reason and how to play it again`()
        async throws
    {
        try await withFolder { folder in
            let path = "\(folder)/login.yaml"
            try write(
                "  - idp.login: { user: alice }\n  - expect notes.accounts: [alice]\n    because: she came\n", to: path)
            let report = "\(folder)/report.xml"
            let end = try await run([path, "--seed", "5", "--report", "junit=\(report)"]).expect(1, "script-failed")
            #expect(end.text.contains("FAIL"))
            #expect(end.text.contains("\(path):6:5: expect notes.accounts: it is []"))
            #expect(end.text.contains("because she came"))
            #expect(end.nextStep?.contains("countersign run \(path) --seed 5 -v") == true)
            let xml = String(decoding: try Data(contentsOf: URL(filePath: report)), as: UTF8.self)
            #expect(xml.contains("failures=\"1\"") && xml.contains("line=\"6\""))
            try write("  - idp.login: { user: alice }\n  - expect notes.accounts: []\n", to: path)
            let other = "\(folder)/other.yaml"
            try write("  - deliver: { command: authack, from: notes, to: idp }\n", to: other)
            let both = try await run([other, path, "--report", "json=-"]).expect(1, "script-failed").output
            #expect(try both.map { try $0.parsed["good"] } == [false, true])
            let lines = try await run([path, "--repeat", "3", "--report", "json=-"]).expect(0).output
            #expect(try lines.map { try $0.parsed["good"] } == [true, true, true])
            try await run([path, "--json", "--report", "json=-"]).expect(2, "invalid-value")
        }
    }

    @Test func `a file that is no script is exit code 3 before anything is played, and so is none at all`() async throws
    {
        try await withFolder { folder in
            try await run([folder]).expect(3, "script-missing")
            try await run(["\(folder)/absent.yaml"]).expect(3, "script-missing")
            try write("  - notes.lgin:\n", to: "\(folder)/b.yaml")
            try write("  - idp.login: { user: alice }\n", tags: "[smoke]", to: "\(folder)/a.yaml")
            let bad = try await run([folder]).expect(3, "invalid-yaml")
            #expect(!bad.text.contains("ok"))
            try write("  - notes.stop:\n", to: "\(folder)/b.yaml")
            let all = try await run([folder, "--json"]).expect(0).json()
            #expect(all["results"]?.arrayValue?.count == 2)
            let smoke = try await run([folder, "--json", "--tags", "smoke"]).expect(0).json()
            #expect(smoke["results"]?.arrayValue?.count == 1)
            try await run([folder, "--tags", "slow"]).expect(3, "script-missing")
            try await run([folder, "--report", "html=-"]).expect(2, "invalid-value")
        }
    }

    @Test func `the same seed gives the same run in another process`() async throws {
        try await withFolder { folder in
            let path = "\(folder)/login.yaml"
            try write(
                "  - idp.login: { user: alice }\n  - notes.login: { user-hint: alice }\n  - expect notes.accounts: []\n",
                to: path)
            var transcripts: [String] = []
            for seed in ["3", "3", "4"] {
                let end = try await run([path, "--seed", seed, "-v"]).expect(1, "script-failed")
                transcripts.append(end.errors.filter { $0.contains(" sent ") }.joined(separator: "\n"))
            }
            #expect(transcripts[0].contains("authrequest"))
            #expect(transcripts[0] == transcripts[1])
            #expect(transcripts[0] != transcripts[2])
        }
    }
}

private enum ScriptFolder {
    static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count { $0.hasSuffix(".yaml") } ?? 0
    }
}
