import Basics
import Handoff
import IdentityBroker
import IdentityClient
import Platform
import Testing

@testable import HandoffLab

@Suite struct `A trace` {
    /// The log of one login in a simulation.
    private func log(
        _ kind: HandoffKind = .clientInitiated, seed: UInt64 = 7
    ) throws -> TraceLog {
        try LabWorld.journal(flow: kind, seed: seed).traceLog
    }

    private func login(_ log: TraceLog) throws -> Trace { try log.find("last") }

    private func messages(_ trace: Trace) -> [String] {
        trace.steps.compactMap { step in
            guard let to = step.to else { return nil }
            let names = ShortNames(trace.apps)
            return switch step.event {
            case .command(let name): "\(names[step.from]) > \(names[to]) \(name)"
            case .request(let method, let path): "\(names[step.from]) > \(names[to]) \(method) \(path)"
            case .decision: nil
            }
        }
    }

    @Test func `of a login has its commands and requests across both apps, in one order`() throws {
        let trace = try login(try log())
        #expect(
            messages(trace) == [
                // Nobody is signed in yet: the identity provider app signs the person in, and then asks for the code.
                "client > idp authrequest", "idp > provider GET /.well-known/openid-configuration",
                "idp > provider POST /authorize-challenge", "idp > provider POST /token", "idp > provider GET /jwks",
                "idp > provider GET /userinfo", "idp > provider POST /authorize-challenge", "idp > client authresponse",
                "client > provider GET /.well-known/openid-configuration", "client > provider POST /token",
                "client > provider GET /jwks", "client > provider GET /userinfo", "client > idp authack",
            ])
        #expect(trace.kind == .clientInitiated)
        #expect(trace.outcome == "logged in")
        for step in trace.steps {
            switch (step.event, step.verdict) {
            case (.command, .taken(let transport)): #expect(transport == "direct")
            case (.request, .status(let status)): #expect([200, 401].contains(status))
            case (.decision, .none): break
            default: Issue.record("\(step)")
            }
        }
        #expect(zip(trace.steps, trace.steps.dropFirst()).allSatisfy { $0.at <= $1.at })
    }

    @Test(arguments: HandoffKind.allCases)
    func `is equal for an equal seed, and another for another`(kind: HandoffKind) throws {
        func lines(_ seed: UInt64) throws -> [String] {
            try log(kind, seed: seed).flows.flatMap { flow in
                flow.lines() + [flow.mermaid, JSONValue.object(flow.json).serializedText]
            }
        }
        let (first, second) = (try lines(7), try lines(7))
        #expect(first.count == second.count)
        #expect(zip(first, second).first(where: !=) ?? ("", "") == ("", ""))
        #expect(first != (try lines(8)))
    }

    @Test(arguments: zip(HandoffKind.allCases, [Trace.Kind.clientInitiated, .idpInitiated, .keychain]))
    func `is listed by how its flow began`(kind: HandoffKind, listed: Trace.Kind) throws {
        let log = try log(kind)
        #expect(log.flows.filter { $0.kind == listed }.count == 1)
        #expect(log.flows.contains { $0.kind == .presence && $0.outcome == "answered" })
    }

    @Test func `of a login whose first command could not leave is no local login`() throws {
        try simulate { world in
            let client = try await world.runClient(dialogue: NoDialogue())
            #expect(await failure { try await client.role.login(.handOff()) }?.code == .peerNotRunning)
            let trace = try world.journal.traceLog.find("last")
            #expect(trace.kind == .clientInitiated)
            #expect(trace.outcome == "failed, peer-not-running")
            await client.stop()
        }
    }

    @Test func `of a logout that an app asked for says that it was one, and has its command once`() throws {
        try simulate(try .twoApps([.logoutDevice])) { world in
            let apps = try await TwoApps(world, dialogue: Script.choosing(["allow", "log-out"]))
            _ = try await apps.notes.role.logout(apps.alice, scope: .device)
            try await world.environment.sleep(for: .seconds(5))
            let trace = try #require(world.journal.traceLog.flows.first { $0.kind == .logout })
            // The app that asked has no such login any more when it is told, and says so.
            #expect(trace.outcome == "logged out")
            #expect(trace.steps.count { $0.event == .command("logout") && $0.from == notes } == 1)
            #expect(!trace.steps.contains { if case .unseen = $0.verdict { true } else { false } })
            await apps.stop()
        }
    }

    @Test func `shows the rule that refused, and why, in the flow of a command whose signature holds`() throws {
        try simulate { world in
            let tap = Tap()
            let broker = try await world.runBroker(dialogue: Script.allowing("alice")) {
                $0.bus = tap.listening(on: $0.bus)
            }
            let client = try await world.runClient(dialogue: NoDialogue())
            _ = try await client.role.login(.handOff())
            // The same answer once more.
            let answer = try #require(tap.urls(.authresponse).first)
            _ = await failure { try await client.role.handleIdentityProviderCommand(from: answer) }
            let trace = try world.journal.traceLog.find("last")
            let refused = trace.steps.filter { if case .refused = $0.verdict { true } else { false } }
            #expect(refused.count == 1)
            guard case .refused(let refusal) = refused.first?.verdict else { return }
            #expect(refusal.code == "command-replayed")
            #expect(refused.first?.event == .command("authresponse"))
            // The first delivery is still the one that was taken.
            #expect(
                trace.steps.contains {
                    $0.event == .command("authresponse") && $0.verdict == .taken(transport: "direct")
                })
            #expect(trace.lines().contains { $0.contains("refused [command-replayed]") })
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `names what a rule refused after the signature, and nothing of what it refused before`() throws {
        try simulate { world in
            let broker = try await world.runBroker(dialogue: Script.allowing("alice"))
            let client = try await world.runClient(dialogue: NoDialogue())
            // Whoever sends this has the client's key, and has the envelope say what no rule allows.
            let id = CommandID(randomBytes: [UInt8](repeating: 7, count: 16))
            let flow = try FlowID(world.environment.uuid())
            let late = try CommandSealer(sender: try AppID(notes), key: try world.app(notes).keys.command).seal(
                .authack(.init(.loggedIn)), to: try world.peer(idp), flow: flow, inReplyTo: id, id: id,
                now: world.environment.now() - .seconds(600)
            ).url
            _ = await failure { try await broker.role.handle(late, sender: nil) }
            let forged = String(late.dropLast(8)) + "AAAAAAAA"
            _ = await failure { try await broker.role.handle(forged, sender: nil) }
            let refusals = world.journal.entries(of: idp).filter { $0.kind == .refused }
            #expect(refusals.map(\.code) == ["command-expired", "command-signature"])
            #expect(refusals[0].fields["rule"] == "freshness")
            #expect(refusals[0].fields["from"] == .string(notes))
            #expect(refusals[0].flow == flow.text)
            #expect(refusals[1].fields["rule"] == "signature")
            #expect(refusals[1].flow == nil && refusals[1].fields["from"] == nil)
            await client.stop()
            await broker.stop()
        }
    }

    @Test func `believes the provider's lines only where an app's own log has the same request`() throws {
        let flow = "3abacd78-c440-4d88-a16d-a1ae6e591107"
        func entry(_ app: String, _ sequence: Int64, _ kind: JournalEntry.Kind, _ span: String) -> TraceEntry {
            TraceEntry(
                app: app, time: Timestamp(seconds: sequence), sequence: sequence, kind: kind, flow: flow,
                message: "\(kind)", fields: ["span": .string(span), "status": 200, "method": "GET", "path": "/x"])
        }
        let honest = [entry("a.b", 2, .http, "1111"), entry("provider", 1, .decided, "1111")]
        let made = entry("provider", 3, .decided, "2222")
        #expect(TraceLog(honest).trace(of: flow).steps.count == 2)
        #expect(TraceLog(honest + [made]).trace(of: flow).steps.count == 2)
        #expect(TraceLog([made]).flows.isEmpty)
    }

    @Test func `is found by the beginning of its id, if no other flow begins like that`() throws {
        func log(_ flows: String...) -> TraceLog {
            TraceLog(
                flows.map { TraceEntry(app: "a.b", time: Timestamp(seconds: 1), sequence: 1, kind: .sent, flow: $0) })
        }
        #expect(try log("ab1", "ab2", "cd").find("AB1").flow == "ab1")
        #expect(try log("ab1", "ab2", "cd").find("c").flow == "cd")
        #expect(throws: Fault(.ambiguousFlow)) { try log("ab1", "ab2").find("ab") }
        #expect(throws: Fault(.noSuchFlow)) { try log("ab1").find("ab2") }
        #expect(throws: Fault(.noSuchFlow)) { try log("ab1").find("") }
        #expect(throws: Fault(.noSuchFlow)) { try log().find("last") }
    }
}
