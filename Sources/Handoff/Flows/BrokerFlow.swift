package import Basics

/// One hand-off at the identity provider app, as a pure state machine: events in, actions out.
package struct BrokerFlow: Sendable, Codable, Equatable {
    /// How it ended.
    package enum Outcome: Sendable, Codable, Equatable {
        /// The client reported its outcome.
        case acknowledged(AuthAcknowledgement.Outcome)
        /// The client refused, by a code from the closed list.
        case refusedByClient(AuthError.Reason)
        /// We refused, by a code from the closed list.
        case refused(AuthError.Reason)
        /// Our command could not be brought to the client: it is not there.
        case undeliverable
        case cancelledByUser
        case cancelledByPeer
        case timedOut
    }

    /// Where it stands. What each stage accepts is in `FlowContract`.
    package enum Phase: Sendable, Codable, Equatable {
        /// A request is here and a person or a rule decides.
        case deciding(request: CommandID)
        /// A code is out.
        case answered(answer: CommandID)
        /// `idpinit` is out.
        case invited(invitation: CommandID)
        case finished(Outcome)
    }

    /// What happens to a flow.
    package enum Event: Sendable {
        case command(VerifiedCommand)
        /// The code for the client is here; `id` is the id that the answer will have.
        case codeObtained(SPLoginResponse, id: CommandID)
        case refused(AuthError.Reason)
        /// The client is not there to take our command.
        case undeliverable
        case cancelledByUser
        case deadlinePassed
    }

    /// What is to be done then, in order.
    package enum Action: Sendable, Equatable {
        /// Choose an account, ask for consent, obtain a code.
        case decide(SPLoginRequest)
        /// Take the question back.
        case stopDeciding
        /// `id` is the id the command must have, where the flow refers to it.
        case send(Command, inReplyTo: CommandID?, id: CommandID?)
        case resolve(Outcome)
    }

    package let id: FlowID
    /// The client.
    package let peer: AppID
    package let deadline: Timestamp
    package private(set) var phase: Phase

    /// A hand-off that a client's `authrequest` began.
    package init(asked command: VerifiedCommand, deadline: Timestamp) {
        id = command.flow
        peer = command.sender
        self.deadline = deadline
        phase = .deciding(request: command.id)
    }

    /// A hand-off that this app begins with `idpinit`.
    package init(inviting peer: AppID, id: FlowID, invitation: CommandID, deadline: Timestamp) {
        self.id = id
        self.peer = peer
        self.deadline = deadline
        phase = .invited(invitation: invitation)
    }

    /// A hand-off that this app begins with `idpauthcodeinit`.
    package init(handing peer: AppID, id: FlowID, command: CommandID, deadline: Timestamp) {
        self.id = id
        self.peer = peer
        self.deadline = deadline
        phase = .answered(answer: command)
    }

    /// The outcome, once there is one.
    package var outcome: Outcome? { if case .finished(let outcome) = phase { outcome } else { nil } }

    /// Where it stands, in the words of the contract.
    package var stage: FlowStage {
        switch phase {
        case .deciding: .waiting
        case .answered: .answered
        case .invited: .invited
        case .finished(let outcome): .ended(outcome.ending)
        }
    }

    /// Takes an event and says what to do.
    ///
    /// - Throws: for a command what the contract says, `command-late` among it; the flow is then untouched.
    package mutating func receive(_ event: Event) throws(Fault) -> [Action] {
        if case .command(let command) = event { return try receive(command) }
        if case .finished = phase { return [] }
        switch event {
        case .command: return []
        case .codeObtained(let response, let answer):
            guard case .deciding(let request) = phase else { return [] }
            phase = .answered(answer: answer)
            return [.send(.authresponse(response), inReplyTo: request, id: answer)]
        case .refused(let reason): return finish(.refused(reason), refusal(reason))
        case .undeliverable: return finish(.undeliverable, cancellation)
        case .cancelledByUser: return finish(.cancelledByUser, cancellation)
        case .deadlinePassed:
            // The client set this deadline and sees it pass itself; a cancel would only race its own words for it.
            if case .deciding = phase { return finish(.timedOut, []) }
            return finish(.timedOut, cancellation)
        }
    }

    private mutating func receive(_ command: VerifiedCommand) throws(Fault) -> [Action] {
        guard command.sender == peer, command.flow == id else { throw Fault(.commandUncorrelated) }
        try FlowContract.admit(command, at: .identityProvider, in: stage)
        if case .cancel = command.command {
            if case .deciding = phase { return finish(.cancelledByPeer, [.stopDeciding]) }
            return finish(.cancelledByPeer, [])
        }
        guard let sent, command.inReplyTo == sent else { throw Fault(.commandUncorrelated) }
        switch command.command {
        case .authrequest(let request):
            phase = .deciding(request: command.id)
            return [.decide(request)]
        case .authack(let report): return finish(.acknowledged(report.outcome), [])
        case .error(let error): return finish(.refusedByClient(error.reason), [])
        default: throw Fault(.commandUncorrelated, detail: "the contract lets no other command through")
        }
    }

    /// What is out, and can be answered.
    private var sent: CommandID? {
        switch phase {
        case .invited(let id), .answered(let id): id
        case .deciding, .finished: nil
        }
    }

    private var cancellation: [Action] { [.send(.cancel, inReplyTo: nil, id: nil)] }

    private func refusal(_ reason: AuthError.Reason) -> [Action] {
        guard case .deciding(let request) = phase else { return cancellation }
        return [.send(.error(AuthError(reason)), inReplyTo: request, id: nil)]
    }

    private mutating func finish(_ outcome: Outcome, _ notices: [Action]) -> [Action] {
        var actions = notices
        if case .deciding = phase, outcome == .timedOut || outcome == .cancelledByUser {
            actions.insert(.stopDeciding, at: 0)
        }
        phase = .finished(outcome)
        return actions + [.resolve(outcome)]
    }
}

extension BrokerFlow.Outcome {
    /// The outcome in the words of the contract.
    package var ending: FlowEnding {
        switch self {
        case .acknowledged(.loggedIn): .loggedIn
        case .acknowledged(.switched): .switched
        case .acknowledged(.failed): .failed
        case .refusedByClient, .refused, .undeliverable: .refused
        case .cancelledByUser: .cancelledHere
        case .cancelledByPeer: .cancelledByPeer
        case .timedOut: .timedOut
        }
    }
}
