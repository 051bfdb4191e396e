import Basics
import Platform
import TestSupport
import Testing

/// New keys for both apps of a home, while both run.
@Suite(.serialized, .rotationHome) struct RotationTests {
    let home: LabHome

    init() throws { home = try #require(LabHomeTrait.current) }

    private func logIn() async throws {
        try await home.client("login", "--via", "idp").expect(0)
    }

    private func openWithKeychain() async throws -> JSONValue? {
        try await home.client("logout").expect(0)
        return try await home.run(.idp, ["open", LabHome.clientID, "--json", "--keychain"]).expect(0).json()["outcome"]
    }

    @Test func `logins and the secret group go on after keys rotate and apps rotate, and a revoked key is gone`()
        async throws
    {
        let prompt = try PromptProgram(
            in: home, "rotation-prompt", answers: [.switchConfirmation: #"{"choice":"switch"}"#])
        let serving = try await home.serve(.client, prompt: prompt.option)
        try await always {
            try await logIn()
            #expect(try await openWithKeychain() == "logged_in")

            let own = try await home.idp("keys", "rotate", "--json", "--command-alg", "EdDSA").expect(0).json()
            let former = try #require(own["former"]?.stringValue)
            try await logIn()
            #expect(try await openWithKeychain() == "logged_in")
            let listed = try await home.idp("keys", "list").expect(0).text
            #expect(listed.contains("EdDSA") && listed.contains(former) && listed.contains("until"))

            let app = try await home.idp("apps", "rotate", LabHome.clientID, "--json", "--overlap", "1h").expect(0)
                .json()
            let formerOfApp = try #require(app["former"]?.stringValue)
            try await logIn()
            #expect(try await openWithKeychain() == "logged_in")

            try await home.idp("keys", "revoke", former).expect(0)
            try await home.idp("keys", "revoke", former).expect(1, "no-such-key")
            let inUse = try #require(own["command"]?.stringValue)
            try await home.idp("keys", "revoke", inUse).expect(1, "key-in-use")
            try await home.idp("apps", "revoke-key", LabHome.clientID, formerOfApp).expect(0)
            let shown = try await home.idp("apps", "show", LabHome.clientID, "--json").expect(0).json()
            #expect(shown["keys"]?["command"]?["kid"] == app["command"])
            #expect(shown["keys"]?["former"] == [])
            try await logIn()
            #expect(try await openWithKeychain() == "logged_in")

            // Another OAuth key: the login of before is there yet, and ends with its key.
            let token = try await home.client("token", "--bare").expect(0)
            #expect(!token.text.isEmpty)
            let third = try await home.idp("apps", "rotate", LabHome.clientID, "--json", "--oauth").expect(0).json()
            let formerOAuth = try #require(third["formerOAuth"]?.stringValue)
            #expect(third["oauth"]?.stringValue != formerOAuth)
            try await home.client("userinfo").expect(0)
            try await home.idp("apps", "revoke-key", LabHome.clientID, formerOAuth).expect(0)
            #expect(try await home.client("userinfo").exit != .exited(0))
            try await logIn()
            try await home.client("userinfo").expect(0)
            let added = try await home.idp("apps", "show", LabHome.clientID, "--json").expect(0).json()
            #expect(added["keys"]?["oauth"]?["kid"] == third["oauth"])

            // Registered again, an app keeps what is pinned.
            try await home.idp("apps", "add", LabHome.clientID, "--name", "Client").expect(0)
            try await logIn()
            let refused = try home.log(LabHome.idpID) + home.log(LabHome.clientID)
            #expect(refused.filter { $0["kind"] == "refused" }.isEmpty)
        } afterwards: {
            await serving.stopped().expect(143)
        }
    }

    @Test func `an app that was taken out of the group gets no code by it, and one that was put back does`()
        async throws
    {
        let prompt = try PromptProgram(
            in: home, "group-prompt", answers: [.switchConfirmation: #"{"choice":"switch"}"#])
        let serving = try await home.serve(.client, prompt: prompt.option)
        try await always {
            try await logIn()
            try await home.idp("groups", "remove", "handoff", LabHome.clientID).expect(0)
            try await home.client("logout").expect(0)
            try await home.idp("open", LabHome.clientID, "--keychain").expect(5, "no-shared-group")
            try await home.idp("groups", "remove", "handoff", LabHome.clientID).expect(4, "not-group-member")
            // Registered again, an app is not put back by the way.
            try await home.idp("apps", "change", LabHome.clientID, "--consent", "first-use").expect(0)
            try await home.idp("open", LabHome.clientID, "--keychain").expect(5, "no-shared-group")
            try await home.idp("groups", "add", "handoff", LabHome.clientID).expect(0)
            let listed = try await home.idp("groups", "list", "--json").expect(0).json()
            #expect(listed["groups"]?.arrayValue?.first?["members"] == [.string(LabHome.clientID)])
            try await logIn()
            #expect(try await openWithKeychain() == "logged_in")
        } afterwards: {
            await serving.stopped().expect(143)
        }
    }
}

extension Trait where Self == LabHomeTrait {
    fileprivate static var rotationHome: Self {
        .labHome { home in
            let prompt = try PromptProgram(in: home, answers: [.consent: #"{"choice":"allow"}"#])
            _ = try await home.serve(.idp, prompt: prompt.option)
            try await home.signIn("alice")
        }
    }
}
