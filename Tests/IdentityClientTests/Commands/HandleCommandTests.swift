import Basics
import FoundationEssentials
import Handoff
import IdentityClient
import Platform
import TestSupport
import Testing

@Suite struct `handleIdentityProviderCommand` {
    private typealias Completions = Collected<Result<(UserAccount, AuthInfo), UserAccountManagerError>>

    private static func handle(_ url: String, by client: HandoffClient, _ got: Completions) throws -> Bool {
        client.handleIdentityProviderCommand(from: try #require(URL(string: url))) { got.note($0) }
    }

    @Test(.rule("S13", "T4", "T5", "T23", "T47", "A040"))
    func `is false for what is not our command, and never calls the completion`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startClient()
            let got = Completions()
            for url in [
                "https://example.com/", "org.example.other://oauth2/v1.0/cancel?command=x",
                "\(pair.client.scheme)://oauth2/v2.0/cancel?command=x", "\(pair.client.scheme)://oauth/v1.0/cancel",
                "\(pair.client.scheme)://oauth2/v1.0/dance?command=x", "\(pair.client.scheme)://callback?code=x",
            ] {
                #expect(try Self.handle(url, by: client, got) == false)
            }
            try await environment.sleep(for: .seconds(600))
            #expect(got.all.isEmpty)
            await client.stop()
        }
    }

    @Test(.rule("T25", "T48", "T49"))
    func `is true for ours, and calls the completion exactly once, with a typed error on rejection`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startClient()
            let flow = try FlowID(Pair.flow)
            let now = environment.now()
            let forged = try Party(pair.idp.id, .identityProvider)
            let rejected: [(String, ErrorCode)] = [
                ("\(pair.client.scheme)://oauth2/v1.0/authresponse?command=abc", .commandMalformed),
                ("\(pair.client.scheme)://oauth2/v1.0/authresponse?command=abc&x=y", .commandShape),
                (try forged.seal(.cancel, to: pair.client, flow: flow, now: now).url, .unknownKey),
                (try pair.idp.seal(.cancel, to: pair.client, flow: flow, now: now).url, .flowUnknown),
                (
                    try pair.idp.seal(.cancel, to: pair.client, flow: flow, number: 2, now: now - .seconds(600)).url,
                    .commandExpired
                ),
            ]
            for (url, code) in rejected {
                let got = Completions()
                #expect(try Self.handle(url, by: client, got))
                try await environment.sleep(for: .seconds(5))
                #expect(got.all.count == 1)
                let result = try #require(got.all.first)
                guard case .failure(.loginFailed(let error, let info)) = result else {
                    Issue.record("not a failed login")
                    continue
                }
                #expect((error as? Fault)?.code == code)
                #expect(info.authType == .idp)
            }
            await client.stop()
        }
    }

    @Test(.rule("T29", "T48"))
    func `completes once also for a command that asks a person who says no, or never answers`() throws {
        for dialogue in [ScriptedDialogue(choices: ["keep"]) as any Dialogue, NeverAnswering()] {
            try simulate { environment in
                let pair = try Pair(environment)
                let client = try await pair.startClient(dialogue: dialogue)
                let got = Completions()
                let url = try pair.idp.seal(
                    .idpinit(IDPLoginRequest(userHint: .username("alice"))), to: pair.client,
                    flow: try FlowID(Pair.flow), now: environment.now()
                ).url
                #expect(try Self.handle(url, by: client, got))
                try await environment.sleep(for: .seconds(600))
                #expect(got.all.count == 1)
                guard case .failure(.loginFailed(let error, _)) = try #require(got.all.first) else {
                    Issue.record("not a failed login")
                    return
                }
                let code = (error as? any CodedError)?.code
                #expect(code == (dialogue is NeverAnswering ? .deadlinePassed : .cancelled))
                await client.stop()
            }
        }
    }

    @Test(.rule("T47")) func `is true for every command, and completes once for each`() throws {
        try simulate { environment in
            let pair = try Pair(environment)
            let client = try await pair.startClient()
            for name in CommandName.allCases {
                let got = Completions()
                #expect(
                    try Self.handle("\(pair.client.scheme)://oauth2/v1.0/\(name.rawValue)?command=x", by: client, got))
                try await environment.sleep(for: .seconds(5))
                #expect(got.all.count == 1, "\(name.rawValue)")
            }
            await client.stop()
        }
    }

    private struct NeverAnswering: Dialogue {
        func ask(_ question: Question) async throws -> Answer { try await Promise<Answer>().value() }
    }
}
