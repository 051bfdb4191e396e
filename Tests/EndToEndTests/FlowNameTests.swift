import Basics
import CommandLineInterface
import LinuxPlatform
import Platform
import Testing

/// Every error and every `--json` result of a command that begins or ends a flow names it, and its trace is there.
@Suite(.serialized) struct FlowNameTests {
    /// One command, in one state of a home.
    struct Row: Sendable, CustomTestStringConvertible {
        let program: Program
        let arguments: [String]
        let exit: Int32
        /// The error code, where it fails.
        let code: String?
        let namesFlow: Bool

        var testDescription: String { ([program.rawValue] + arguments).joined(separator: " ") }

        init(_ program: Program, _ arguments: String..., exit: Int32 = 0, code: String? = nil, namesFlow: Bool) {
            self.program = program
            self.arguments = arguments
            self.exit = exit
            self.code = code
            self.namesFlow = namesFlow
        }
    }

    /// While nothing else runs.
    private static let alone = [
        Row(.client, "login", "--via", "idp", "--timeout", "5s", exit: 5, code: "peer-not-running", namesFlow: true),
        Row(.client, "accounts", namesFlow: false),
        Row(.client, "switch", "nobody", exit: 1, code: "unknown-account", namesFlow: false),
        Row(.idp, "open", LabHome.clientID, exit: 4, code: "no-current-account", namesFlow: false),
        Row(
            .idp, "login", "--user", "alice", "--password-file", "-", exit: 5, code: "http-unreachable", namesFlow: true
        ),
    ]

    /// While the identity provider app serves, and denies.
    private static let denied = [
        Row(.client, "login", "--via", "idp", exit: 4, code: "access-denied", namesFlow: true)
    ]

    /// While it serves, and allows.
    private static let allowed = [
        Row(.client, "login", "--via", "idp", namesFlow: true),
        Row(
            .client, "login", "--via", "idp", "--user-hint", "mallory", exit: 4, code: "login-required", namesFlow: true
        ),
        Row(.idp, "login", "--user", "alice", "--password-file", "-", namesFlow: true),
        Row(.idp, "open", LabHome.clientID, "--print", namesFlow: true),
        Row(.idp, "open", LabHome.clientID, "--timeout", "2s", exit: 5, code: "peer-not-running", namesFlow: true),
        Row(.client, "userinfo", namesFlow: false),
        Row(.client, "accounts", namesFlow: false),
    ]

    private func check(_ row: Row, in home: LabHome) async throws {
        let input = row.arguments.contains("-") ? LabHome.password + "\n" : nil
        let ended = try await home.run(row.program, row.arguments + ["--json"], input: input)
        #expect(ended.exit == .exited(row.exit), "\(row.testDescription): \(ended)")
        let json = try JSONValue(parsing: ended.output.joined())
        let error = json["error"]
        #expect(error?["code"]?.stringValue == row.code, "\(row.testDescription): \(ended)")
        let flow = (error ?? json)["flow"]?.stringValue
        guard row.namesFlow else { return #expect(flow == nil, "\(row.testDescription)") }
        let name = try #require(flow, "\(row.testDescription): \(ended)")
        // Told to people as well.
        if error != nil { #expect(ended.errors.contains("flow: \(name)")) }
        #expect(
            try home.log(LabHome.clientID).contains { $0["flow"]?.stringValue == name }
                || (try home.log(LabHome.idpID).contains { $0["flow"]?.stringValue == name })
                || row.arguments.contains("--print") || row.exit == 5, "\(row.testDescription)")
    }

    @Test func `every row of the table names its flow, or has none`() async throws {
        try await withLabHome { home in
            try await home.idp("apps", "list").expect(0)
            try await home.idp("apps", "add", LabHome.clientID).expect(0)
            for row in Self.alone { try await check(row, in: home) }
            let denying = try await home.serve(.idp, prompt: "script:deny")
            try await home.signIn("alice")
            for row in Self.denied { try await check(row, in: home) }
            await denying.stopped().expect(143)
            let allowing = try await home.serve(.idp, prompt: "script:allow")
            for row in Self.allowed { try await check(row, in: home) }
            await allowing.stopped().expect(143)
        }
    }

    @Test func `a pasted command names the flow that it is of, taken or refused`() async throws {
        try await withLabHome { home in
            let idp = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            let printed = try await home.idp("open", LabHome.clientID, "--print", "--json").expect(0).json()
            let url = try #require(printed["url"]?.stringValue)
            let taken = try await home.client("handle", url, "--prompt", "script:switch", "--json").expect(0).json()
            #expect(taken["flow"] == printed["flow"])
            let again = try await home.client("handle", url, "--prompt", "script:switch", "--json")
            #expect(try again.json()["error"]?["flow"] == printed["flow"])
            // Nothing of what nobody has proved is named.
            let forged = try await ForgedCommand(in: home).signedByStranger(claimingPinnedKey: true)
            let refused = try await home.client("handle", forged, "--json").expect(4, "command-signature").json()
            #expect(refused["error"]?["flow"] == nil)
            await idp.stopped().expect(143)
        }
    }
}
