import Basics
import Handoff
import JOSE
import TestSupport
import Testing

/// The identity provider app's side of a hand-off: every state with every event.
@Suite struct BrokerFlowTests {
    enum State: CaseIterable { case deciding, answered, invited, finished }

    private func flow(_ state: State) throws -> BrokerFlow {
        let asked = try FlowFixture.fromClient(
            .authrequest(Samples.request), irt: nil, id: FlowFixture.request)
        var flow =
            state == .invited
            ? BrokerFlow(
                inviting: World.client.id, id: try World.flow(), invitation: FlowFixture.answer,
                deadline: FlowFixture.deadline)
            : BrokerFlow(asked: asked, deadline: FlowFixture.deadline)
        if state == .answered || state == .finished {
            _ = try flow.receive(.codeObtained(Samples.response, id: FlowFixture.answer))
        }
        if state == .finished { _ = try flow.receive(.cancelledByUser) }
        return flow
    }

    private func reaction(_ flow: inout BrokerFlow, _ event: BrokerFlow.Event) -> Reaction {
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

    private func words(_ action: BrokerFlow.Action) -> String {
        switch action {
        case .decide: "decide"
        case .stopDeciding: "stop deciding"
        case .send(let command, let inReplyTo, let id):
            "send " + HandoffTests.words(command, inReplyTo) + (id.map { " as \($0.text.prefix(2))" } ?? "")
        case .resolve(let outcome):
            switch outcome {
            case .acknowledged(let report): "resolve acknowledged \(report.rawValue)"
            case .refusedByClient(let reason): "resolve refusedByClient \(reason.rawValue)"
            case .refused(let reason): "resolve refused \(reason.rawValue)"
            case .undeliverable: "resolve undeliverable"
            case .cancelledByUser: "resolve cancelledByUser"
            case .cancelledByPeer: "resolve cancelledByPeer"
            case .timedOut: "resolve timedOut"
            }
        }
    }

    /// The table: an event, and what it does in the four states.
    private func table() throws -> [(name: String, event: BrokerFlow.Event, reactions: [Reaction])] {
        func command(_ command: Command, irt: CommandID? = FlowFixture.answer) throws -> BrokerFlow.Event {
            .command(try FlowFixture.fromClient(command, irt: irt))
        }
        let uncorrelated = Reaction.refused(.commandUncorrelated)
        let late = Reaction.refused(.commandLate)
        let nowhere = [uncorrelated, uncorrelated, uncorrelated, uncorrelated]
        let request = Command.authrequest(Samples.request)
        func report(_ words: String) -> [Reaction] { [uncorrelated, .does([words]), .does([words]), late] }
        var rows: [(String, BrokerFlow.Event, [Reaction])] = [
            ("authrequest", try command(request, irt: nil), nowhere),
            (
                "authrequest to the invitation", try command(request),
                [uncorrelated, uncorrelated, .does(["decide"]), late]
            ),
            (
                "authack: logged in", try command(.authack(.init(.loggedIn))),
                [uncorrelated, .does(["resolve acknowledged logged_in"]), uncorrelated, late]
            ),
            (
                "authack: switched", try command(.authack(.init(.switched))), report("resolve acknowledged switched")
            ),
            ("authack: failed", try command(.authack(.init(.failed))), report("resolve acknowledged failed")),
            (
                "error", try command(.error(AuthError(.accessDenied))), report("resolve refusedByClient access_denied")
            ),
            (
                "cancel", try command(.cancel, irt: nil),
                [
                    .does(["stop deciding", "resolve cancelledByPeer"]), .does(["resolve cancelledByPeer"]),
                    .does(["resolve cancelledByPeer"]), late,
                ]
            ),
            (
                "code obtained", .codeObtained(Samples.response, id: FlowFixture.answer),
                [.does(["send authresponse to AQ as Ag"]), .ignored, .ignored, .ignored]
            ),
            (
                "undeliverable", .undeliverable,
                [
                    .does(["send cancel", "resolve undeliverable"]), .does(["send cancel", "resolve undeliverable"]),
                    .does(["send cancel", "resolve undeliverable"]), .ignored,
                ]
            ),
            (
                "refused", .refused(.loginRequired),
                [
                    .does(["send error login_required to AQ", "resolve refused login_required"]),
                    .does(["send cancel", "resolve refused login_required"]),
                    .does(["send cancel", "resolve refused login_required"]), .ignored,
                ]
            ),
            (
                "cancelled by the user", .cancelledByUser,
                [
                    .does(["stop deciding", "send cancel", "resolve cancelledByUser"]),
                    .does(["send cancel", "resolve cancelledByUser"]),
                    .does(["send cancel", "resolve cancelledByUser"]),
                    .ignored,
                ]
            ),
            (
                "deadline passed", .deadlinePassed,
                [
                    .does(["stop deciding", "resolve timedOut"]),
                    .does(["send cancel", "resolve timedOut"]),
                    .does(["send cancel", "resolve timedOut"]), .ignored,
                ]
            ),
        ]
        let answers: [Command] = [.authack(.init(.loggedIn)), .error(AuthError(.accessDenied))]
        for sent in answers + [request] {
            rows.append(
                (
                    "\(sent.name.rawValue) to another command", try command(sent, irt: World.commandID(6)),
                    [uncorrelated, uncorrelated, uncorrelated, late]
                ))
        }
        for sent in answers {
            rows.append(
                (
                    "\(sent.name.rawValue) to nothing", try command(sent, irt: nil),
                    [uncorrelated, uncorrelated, uncorrelated, late]
                ))
        }
        for name: CommandName in [.ping, .pong] {
            rows.append((name.rawValue, try command(Samples.command(name)), nowhere))
        }
        for (who, by, flow) in [("another app", World.otherClient, 1), ("another flow", World.client, 2)] {
            for sent in answers + [request, .cancel] {
                let strange = try FlowFixture.fromClient(sent, irt: FlowFixture.answer, flow: flow, by: by)
                rows.append(("\(sent.name.rawValue) of \(who)", .command(strange), nowhere))
            }
        }
        return rows
    }

    @Test(.rule("A051", "A153"), arguments: State.allCases.indices)
    func `each state takes each event in exactly one way`(_ index: Int) throws {
        let state = State.allCases[index]
        for row in try table() {
            var flow = try flow(state)
            #expect(reaction(&flow, row.event) == row.reactions[index], "\(row.name) in \(state)")
        }
    }

    @Test func `an answer carries what was obtained, to what was asked`() throws {
        var flow = try flow(.deciding)
        let actions = try flow.receive(.codeObtained(Samples.response, id: FlowFixture.answer))
        #expect(
            actions == [
                .send(.authresponse(Samples.response), inReplyTo: FlowFixture.request, id: FlowFixture.answer)
            ])
        #expect(flow.phase == .answered(answer: FlowFixture.answer))
    }

    @Test func `an invitation that is taken up becomes a request to decide`() throws {
        var flow = try flow(.invited)
        let asked = try FlowFixture.fromClient(
            .authrequest(Samples.request), irt: FlowFixture.answer, id: World.commandID(5))
        #expect(try flow.receive(.command(asked)) == [.decide(Samples.request)])
        #expect(flow.phase == .deciding(request: World.commandID(5)))
        // The same request again finds another state.
        #expect(reaction(&flow, .command(asked)) == .refused(.commandUncorrelated))
    }

    @Test func `a code handed over unasked waits for its acknowledgement`() throws {
        var flow = BrokerFlow(
            handing: World.client.id, id: try World.flow(), command: FlowFixture.answer, deadline: FlowFixture.deadline)
        let other = try FlowFixture.fromClient(.authack(.init(.switched)), irt: World.commandID(6))
        #expect(reaction(&flow, .command(other)) == .refused(.commandUncorrelated))
        let ack = try FlowFixture.fromClient(.authack(.init(.switched)), irt: FlowFixture.answer)
        #expect(reaction(&flow, .command(ack)) == .does(["resolve acknowledged switched"]))
        #expect(flow.outcome == .acknowledged(.switched))
    }

    @Test func `whatever happens in whatever order, a hand-off resolves at most once and is silent then`() throws {
        let table = try table()
        for seed: UInt64 in 0..<200 {
            var random = HostileText(seed: seed)
            var events = table.map(\.event)
            events.shuffle(&random)
            var flow = try flow(random.flag() ? .deciding : .invited)
            var resolved: [BrokerFlow.Outcome] = []
            var codes = 0
            for event in events {
                let wasOver = flow.outcome != nil
                let actions = (try? flow.receive(event)) ?? []
                #expect(!wasOver || actions.isEmpty, "seed \(seed)")
                for action in actions {
                    if case .resolve(let outcome) = action { resolved.append(outcome) }
                    if case .send(.authresponse, _, _) = action { codes += 1 }
                }
            }
            #expect(resolved.count == 1, "seed \(seed)")
            #expect(resolved.first == flow.outcome, "seed \(seed)")
            #expect(codes <= 1, "seed \(seed)")
        }
    }
}
