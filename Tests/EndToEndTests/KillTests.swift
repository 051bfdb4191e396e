import Basics
import Glibc
import IdentityBroker
import IdentityClient
import LinuxPlatform
import Platform
import Testing

/// A process that is killed between any two steps of a login leaves whole stores behind; the login goes on or ends with
/// a reason, and the next one works.
@Suite(.serialized, .killHome) struct KillTests {
    let home: LabHome

    init() throws { home = try #require(LabHomeTrait.current) }

    @Test(arguments: Boundary.client.map(\.rawValue))
    func `a client that is killed at a boundary is taken up by its next process`(_ boundary: String) async throws {
        let serving = try await home.serve(.idp, prompt: "script:allow")
        let known = try await home.flows(of: .client).finished.count
        let killed = try await home.run(
            .client, ["login", "--via", "idp", "--timeout", "3s"], environment: [DeathSwitch.variable: boundary])
        #expect(killed.exit == .signalled(SIGKILL), "\(killed)")
        let left = try await home.flows(of: .client)
        #expect(left.pending.count + left.finished.count == known + 1)
        // The next login works at once, beside the one that was left.
        try await home.client("login", "--via", "idp").expect(0)
        try await endOfAllFlows(known + 2)
        #expect(try await home.currentUser() == "alice")
        await serving.stopped().expect(143)
    }

    /// Waits until no flow of the client is under way: one that nothing takes up again ends at its deadline, when the
    /// app looks at it next.
    private func endOfAllFlows(_ count: Int) async throws {
        let serving = try await home.serve(.client, prompt: "script:switch")
        _ = try? await eventually("no flow is under way", within: .seconds(4)) {
            try await home.flows(of: .client).pending.isEmpty ? true : nil
        }
        await serving.stopped()
        try await home.client("login", "--via", "idp").expect(0)
        let flows = try await home.flows(of: .client)
        #expect(flows.pending.isEmpty)
        #expect(flows.finished.count == count + 1)
    }

    @Test(arguments: Boundary.broker.map(\.rawValue))
    func `an identity provider app that is killed at a boundary comes back, and the login ends one way or the other`(
        _ boundary: String
    ) async throws {
        let doomed = try await home.serve(
            .idp, prompt: "script:allow", environment: [DeathSwitch.variable: boundary])
        let login = try await home.start(.client, ["login", "--via", "idp", "--json"])
        let killed = await doomed.ended()
        #expect(killed.exit == .signalled(SIGKILL), "\(killed)")
        let serving = try await home.serve(.idp, prompt: "script:allow")
        let ended = await login.ended()
        // Either it got its account, or it says why not, with the code that belongs to the exit.
        switch ended.code {
        case 0: #expect(try ended.json()["account"]?["username"] == "alice")
        case 4, 5, 8: #expect(try ended.json()["error"]?["code"]?.stringValue == ended.errorCode)
        default: Issue.record("\(ended)")
        }
        try await home.client("login", "--via", "idp").expect(0)
        try await eventually("no flow is under way at the identity provider app") {
            try await home.flows(of: .idp).pending.isEmpty ? true : nil
        }
        await serving.stopped().expect(143)
    }
}

extension Trait where Self == LabHomeTrait {
    fileprivate static var killHome: Self {
        .labHome { home in
            let serving = try await home.serve(.idp, prompt: "script:allow")
            try await home.signIn("alice")
            await serving.stopped()
        }
    }
}
