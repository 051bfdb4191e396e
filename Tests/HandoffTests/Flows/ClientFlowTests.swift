import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// The client's side of a login: every state with every event.
@Suite struct ClientFlowTests {
    enum State: CaseIterable { case invited, awaitingAnswer, redeeming, finished }

    private func flow(_ state: State) throws -> ClientFlow {
        if state == .invited {
            return ClientFlow(
                invitedBy: try FlowFixture.fromIDP(Samples.command(.idpinit), irt: nil, id: FlowFixture.request),
                issuer: FlowFixture.issuer, clientID: "notes", deadline: FlowFixture.deadline)
        }
        var flow = ClientFlow(
            asking: World.idp.id, id: try World.flow(), origin: .client, issuer: FlowFixture.issuer, clientID: "notes",
            state: "the-state", nonce: "n", request: FlowFixture.request, deadline: FlowFixture.deadline)
        if state != .awaitingAnswer { _ = try flow.receive(.command(try FlowFixture.fromIDP(FlowFixture.response()))) }
        if state == .finished { _ = try flow.receive(.redeemed(subject: "u1")) }
        return flow
    }

    private func reaction(_ flow: inout ClientFlow, _ event: ClientFlow.Event) -> Reaction {
        let before = flow
        do throws(Fault) {
            let actions = try flow.receive(event)
            if actions.isEmpty {
                #expect(flow == before)
                return .ignored
            }
            return .does(actions.map(words))
        } catch {
            #expect(flow == before, "a refused command leaves the flow as it was")
            return .refused(error.code)
        }
    }

    private func words(_ action: ClientFlow.Action) -> String {
        switch action {
        case .stopDeciding: "stop deciding"
        case .redeem(let code, let subject): "redeem \(code.unmasked) of \(subject)"
        case .send(let command, let inReplyTo): "send " + HandoffTests.words(command, inReplyTo)
        case .resolve(let outcome):
            switch outcome {
            case .loggedIn(let subject): "resolve loggedIn \(subject)"
            case .switched(let subject): "resolve switched \(subject)"
            case .refused(let reason): "resolve refused \(reason.rawValue)"
            case .failed(let code, _): "resolve failed \(code)"
            case .cancelledByUser: "resolve cancelledByUser"
            case .cancelledByPeer: "resolve cancelledByPeer"
            case .timedOut: "resolve timedOut"
            case .superseded: "resolve superseded"
            }
        }
    }

    /// The table: an event, and what it does in the four states.
    private func table() throws -> [(name: String, event: ClientFlow.Event, reactions: [Reaction])] {
        func command(_ command: Command, irt: CommandID? = FlowFixture.request) throws -> ClientFlow.Event {
            .command(try FlowFixture.fromIDP(command, irt: irt, id: World.commandID(4)))
        }
        let uncorrelated = Reaction.refused(.commandUncorrelated)
        let late = Reaction.refused(.commandLate)
        let other = World.commandID(6)
        func ends(_ actions: [String], invited: [String]? = nil) -> [Reaction] {
            [.does(["stop deciding"] + (invited ?? actions)), .does(actions), .does(actions), .ignored]
        }
        func answer(_ reaction: Reaction) -> [Reaction] { [uncorrelated, reaction, late, late] }
        var rows: [(String, ClientFlow.Event, [Reaction])] = [
            ("authresponse", try command(FlowFixture.response()), answer(.does(["redeem the-code of u1"]))),
            (
                "authresponse to another command", try command(FlowFixture.response(), irt: other),
                answer(uncorrelated)
            ),
            ("authresponse to nothing", try command(FlowFixture.response(), irt: nil), answer(uncorrelated)),
            (
                "authresponse with another state", try command(FlowFixture.response(state: "another")),
                answer(.refused(.answerStateMismatch))
            ),
            (
                "authresponse with the start of the state", try command(FlowFixture.response(state: "the-stat")),
                answer(.refused(.answerStateMismatch))
            ),
            (
                "authresponse from another issuer", try command(FlowFixture.response(issuer: "http://localhost:8081")),
                answer(.does(["send authack failed to BA", "resolve failed answer-issuer-mismatch"]))
            ),
            (
                "authresponse for another client", try command(FlowFixture.response(clientID: "mail")),
                answer(.does(["send authack failed to BA", "resolve failed client-mismatch"]))
            ),
            (
                "error", try command(.error(AuthError(.loginRequired))),
                answer(.does(["resolve refused login_required"]))
            ),
            (
                "error to another command", try command(.error(AuthError(.loginRequired)), irt: other),
                answer(uncorrelated)
            ),
            ("error to nothing", try command(.error(AuthError(.loginRequired)), irt: nil), answer(uncorrelated)),
            (
                "cancel", try command(.cancel, irt: nil),
                ends(["resolve cancelledByPeer"]).dropLast() + [late]
            ),
            (
                "redeemed", .redeemed(subject: "u1"),
                [.ignored, .ignored, .does(["send authack logged_in to Ag", "resolve loggedIn u1"]), .ignored]
            ),
            (
                "failed", .failed(Fault(.clientMismatch)),
                [
                    .does(["stop deciding", "resolve failed client-mismatch"]),
                    .does(["resolve failed client-mismatch"]),
                    .does(["send authack failed to Ag", "resolve failed client-mismatch"]), .ignored,
                ]
            ),
            (
                "switched", .switched(subject: "u1"),
                [
                    .does(["stop deciding", "send authack switched to AQ", "resolve switched u1"]), .ignored, .ignored,
                    .ignored,
                ]
            ),
            (
                "declined", .declined(.accessDenied, Fault(.clientMismatch)),
                [
                    .does(["stop deciding", "send error access_denied to AQ", "resolve failed client-mismatch"]),
                    .ignored, .ignored, .ignored,
                ]
            ),
            ("cancelled by the user", .cancelledByUser, ends(["send cancel", "resolve cancelledByUser"])),
            ("superseded", .superseded, ends(["send cancel", "resolve superseded"])),
            ("deadline passed", .deadlinePassed, ends(["send cancel", "resolve timedOut"])),
            (
                "peer left", .peerLeft("Countersign"),
                [.ignored, .does(["resolve failed peer-left"]), .ignored, .ignored]
            ),
        ]
        let nowhere = [uncorrelated, uncorrelated, uncorrelated, uncorrelated]
        // What a client's flow never accepts, from whomever.
        for name: CommandName in [.idpinit, .idpauthcodeinit, .ping, .pong] {
            rows.append((name.rawValue, try command(Samples.command(name)), nowhere))
        }
        for (who, by, flow) in [("another app", World.otherIDP, 1), ("another flow", World.idp, 2)] {
            for sent: Command in [FlowFixture.response(), .error(AuthError(.accessDenied)), .cancel] {
                let strange = try FlowFixture.fromIDP(sent, flow: flow, by: by)
                rows.append(("\(sent.name.rawValue) of \(who)", .command(strange), nowhere))
            }
        }
        return rows
    }

    @Test(.rule("S7", "S8", "T17", "A032", "A039", "A051", "A154"), arguments: State.allCases.indices)
    func `each state takes each event in exactly one way`(_ index: Int) throws {
        let state = State.allCases[index]
        for row in try table() {
            var flow = try flow(state)
            #expect(reaction(&flow, row.event) == row.reactions[index], "\(row.name) in \(state)")
        }
    }

    @Test func `a code that came unasked is redeemed, and only a cancel is accepted then`() throws {
        let command = try FlowFixture.fromIDP(Samples.command(.idpauthcodeinit), irt: nil)
        let flow = ClientFlow(
            redeemingUnasked: command, issuer: FlowFixture.issuer, clientID: "notes", nonce: "n",
            subject: "u1", deadline: FlowFixture.deadline, startURL: nil)
        #expect(flow.phase == .redeeming(answer: command.id))
        #expect(flow.peer == World.idp.id && flow.id == command.flow && flow.origin == .keychain)
        var one = flow
        // Its state is empty, and nothing with an empty state gets in.
        let response = try FlowFixture.fromIDP(FlowFixture.response(), irt: command.id)
        #expect(reaction(&one, .command(response)) == .refused(.commandLate))
        #expect(
            reaction(&one, .redeemed(subject: "u1")) == .does(["send authack logged_in to Ag", "resolve loggedIn u1"]))
        var two = flow
        #expect(
            reaction(&two, .command(try FlowFixture.fromIDP(.cancel, irt: nil))) == .does(["resolve cancelledByPeer"]))
    }

    @Test(arguments: [
        ("http://localhost:8081", "character 21: “1” against “0”"),
        ("http://localhost:808", "character 21: the end against “0”"),
        ("http://localhost:8080/", "character 22: “/” against the end"),
        ("https://localhost:8080", "character 5: “s://localhost:8080” against “://localhost:8080”"),
        ("http://Localhost:8080", "character 8: “Localhost:8080” against “localhost:8080”"),
    ])
    func `another issuer ends the login before anyone is contacted, with both values and where they part`(
        _ issuer: String, _ place: String
    ) throws {
        var flow = try flow(.awaitingAnswer)
        let actions = try flow.receive(.command(try FlowFixture.fromIDP(FlowFixture.response(issuer: issuer))))
        for action in actions { if case .redeem = action { Issue.record("the code is redeemed") } }
        guard case .failed("answer-issuer-mismatch", let text) = flow.outcome else {
            Issue.record("\(String(describing: flow.outcome))")
            return
        }
        #expect(text.contains(issuer) && text.contains(FlowFixture.issuer) && text.contains(place))
        #expect(!text.contains("the-code"))
    }

    @Test func `an issuer or client that only looks or compares like ours is another`() throws {
        // Swift's == would take U+212A KELVIN SIGN for K, and one accented letter for two scalars.
        func outcome(_ pinned: String, _ named: String, client: String = "notes") throws -> ClientFlow.Outcome? {
            var flow = ClientFlow(
                asking: World.idp.id, id: try World.flow(), origin: .client, issuer: pinned, clientID: "Kn\u{F6}",
                state: "the-state", nonce: "n", request: FlowFixture.request, deadline: FlowFixture.deadline)
            _ = try flow.receive(
                .command(try FlowFixture.fromIDP(FlowFixture.response(issuer: named, clientID: client))))
            return flow.outcome
        }
        guard
            case .failed("answer-issuer-mismatch", let text) = try outcome(
                "https://K.example", "https://\u{212A}.example")
        else {
            Issue.record("taken for the same issuer")
            return
        }
        #expect(text.contains("character 9"))
        for client in ["\u{212A}n\u{F6}", "Kno\u{308}"] {
            guard
                case .failed("client-mismatch", _) = try outcome(
                    "https://K.example", "https://K.example", client: client)
            else {
                Issue.record("taken for the same client")
                return
            }
        }
        #expect(try outcome("https://K.example", "https://K.example", client: "Kn\u{F6}") == nil)
    }

    @Test(.rule("S25")) func `another account than the one that was asked for ends the login, and the peer is told`()
        throws
    {
        func flow(asking subject: String?) throws -> ClientFlow {
            ClientFlow(
                asking: World.idp.id, id: try World.flow(), origin: .client, issuer: FlowFixture.issuer,
                clientID: "notes", state: "the-state", nonce: "n", request: FlowFixture.request,
                deadline: FlowFixture.deadline, subject: subject)
        }
        for other in ["u2", "U1", "u1 ", ""] {
            var asked = try flow(asking: other)
            #expect(
                reaction(&asked, .command(try FlowFixture.fromIDP(FlowFixture.response())))
                    == .does(["send authack failed to Ag", "resolve failed wrong-account"]))
        }
        for same in ["u1", nil] {
            var asked = try flow(asking: same)
            #expect(
                reaction(&asked, .command(try FlowFixture.fromIDP(FlowFixture.response())))
                    == .does(["redeem the-code of u1"]))
            #expect(asked.subject == "u1")
        }
    }

    @Test(
        .rule("A051"),
        arguments: [
            (ClientFlow.Event.cancelledByUser, "was cancelled here"), (.deadlinePassed, "has timed out"),
            (.superseded, "was superseded by a newer login"), (.failed(Fault(.clientMismatch)), "has failed before"),
        ])
    func `a late answer is told how the login ended`(_ end: ClientFlow.Event, _ words: String) throws {
        var flow = try flow(.awaitingAnswer)
        _ = try flow.receive(end)
        let answer = try FlowFixture.fromIDP(FlowFixture.response())
        let fault = #expect(throws: Fault.self) { try flow.receive(.command(answer)) }
        #expect(fault?.code == .commandLate)
        #expect(fault?.text.contains(words) == true)
    }

    @Test(.rule("A001")) func `a state that is only canonically equivalent is another`() throws {
        var flow = ClientFlow(
            asking: World.idp.id, id: try World.flow(), origin: .client, issuer: FlowFixture.issuer, clientID: "notes",
            state: "\u{E9}", nonce: "n", request: FlowFixture.request, deadline: FlowFixture.deadline)
        let near = try FlowFixture.fromIDP(FlowFixture.response(state: "e\u{301}"))
        #expect(reaction(&flow, .command(near)) == .refused(.answerStateMismatch))
        let same = try FlowFixture.fromIDP(FlowFixture.response(state: "\u{E9}"))
        #expect(reaction(&flow, .command(same)) == .does(["redeem the-code of u1"]))
    }

    @Test func `what another issuer calls itself cannot write on a terminal`() throws {
        var flow = try flow(.awaitingAnswer)
        let issuer = "http://\u{1B}[2Jlocalhost\u{202E}:8080\n" + String(repeating: "x", count: 2_000)
        _ = try flow.receive(.command(try FlowFixture.fromIDP(FlowFixture.response(issuer: issuer))))
        guard case .failed(_, let text) = flow.outcome else {
            Issue.record("taken")
            return
        }
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
        #expect(text.utf8.count < 600)
        #expect(text.contains("\\u{1b}"))
    }

    @Test func `whatever happens in whatever order, a login resolves at most once and is silent then`() throws {
        let table = try table()
        for seed: UInt64 in 0..<200 {
            var random = HostileText(seed: seed)
            var events = table.map(\.event)
            events.shuffle(&random)
            var flow = try flow(.awaitingAnswer)
            var resolved: [ClientFlow.Outcome] = []
            for event in events {
                let wasOver = flow.outcome != nil
                let actions = (try? flow.receive(event)) ?? []
                #expect(!wasOver || actions.isEmpty, "seed \(seed)")
                for case .resolve(let outcome) in actions { resolved.append(outcome) }
            }
            // A deadline is among the events, so it has an end.
            #expect(resolved.count == 1, "seed \(seed)")
            #expect(resolved.first == flow.outcome, "seed \(seed)")
        }
    }

    @Test func `a refused answer leaves the login ready for the right one`() throws {
        var flow = try flow(.awaitingAnswer)
        for row in try table() {
            guard case .refused = row.reactions[1] else { continue }
            _ = reaction(&flow, row.event)
        }
        #expect(try flow == self.flow(.awaitingAnswer))
        let right = try FlowFixture.fromIDP(FlowFixture.response())
        #expect(reaction(&flow, .command(right)) == .does(["redeem the-code of u1"]))
    }
}
