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
        let before = try await home.flows(of: .client)
        let killed = try await home.run(
            .client, ["login", "--via", "idp", "--timeout", "3s"], environment: [DeathSwitch.variable: boundary])
        #expect(killed.exit == .signalled(SIGKILL), "\(killed)")
        let left = try await home.flows(of: .client)
        let new = left.pending.union(left.finished).subtracting(before.pending).subtracting(before.finished)
        let flow = try #require(new.first)
        #expect(new.count == 1)
        // The next login works at once, beside the one that was left.
        try await home.client("login", "--via", "idp").expect(0)
        try await requireEnd(of: flow)
        #expect(try await home.currentUser() == "alice")
        await serving.stopped().expect(143)
    }

    /// Waits until a flow has ended: taken up again, or at its deadline, when the app looks at it next.
    private func requireEnd(of flow: String) async throws {
        let serving = try await home.serve(.client, prompt: "script:switch")
        _ = try? await eventually("the flow has ended", within: .seconds(4)) {
            try await home.flows(of: .client).finished.contains(flow) ? true : nil
        }
        await serving.stopped()
        try await home.client("login", "--via", "idp").expect(0)
        #expect(try await home.flows(of: .client).finished.contains(flow))
    }

    @Test(arguments: Boundary.broker.map(\.rawValue))
    func `an identity provider app that is killed at a boundary comes back, and the login ends one way or the other`(
        _ boundary: String
    ) async throws {
        let before = try await home.flows(of: .idp).pending
        let doomed = try await home.serve(
            .idp, prompt: "script:allow", environment: [DeathSwitch.variable: boundary])
        let login = try await home.start(.client, ["login", "--via", "idp", "--json", "--timeout", "4s"])
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
        await serving.stopped().expect(143)
        try await requireEnd(ofAllBut: before)
    }

    /// Waits until the identity provider app's flows have ended: at the latest at their deadline, when it looks at them
    /// next.
    private func requireEnd(ofAllBut before: Set<String>) async throws {
        func left() async throws -> Set<String> { try await home.flows(of: .idp).pending.subtracting(before) }
        let serving = try await home.serve(.idp, prompt: "script:allow")
        _ = try? await eventually("the flow has ended", within: .seconds(5)) { try await left().isEmpty ? true : nil }
        await serving.stopped().expect(143)
        let last = try await home.serve(.idp, prompt: "script:allow")
        #expect(try await left().isEmpty)
        await last.stopped().expect(143)
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
