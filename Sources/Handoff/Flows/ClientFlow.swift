package import Basics
import JOSE

/// One login at the client, as a pure state machine: events in, actions out. It is persisted before any action.
package struct ClientFlow: Sendable, Codable, Equatable {
    /// Who began it, and how the code comes.
    package enum Origin: String, Sendable, Codable {
        /// The client asked (`authrequest`).
        case client
        /// The identity provider app invited (`idpinit`), and the client asked.
        case invitation
        /// The code came unasked (`idpauthcodeinit`).
        case keychain
    }

    /// How it ended.
    package enum Outcome: Sendable, Codable, Equatable {
        case loggedIn(subject: String)
        /// The invitation was to an account that was there, and it is current now.
        case switched(subject: String)
        /// The peer refused, by a code from the closed list.
        case refused(AuthError.Reason)
        /// A rule or a fault of our own ended it, by its code.
        case failed(code: String, text: String)
        case cancelledByUser
        case cancelledByPeer
        case timedOut
        /// A newer login of this app took its place.
        case superseded
    }

    /// Where it stands. What each stage accepts is in `FlowContract`.
    package enum Phase: Sendable, Codable, Equatable {
        /// An invitation is here, and a person or a rule decides.
        case invited
        /// `authrequest` is out.
        case awaitingAnswer
        /// A code is here and is being redeemed.
        case redeeming(answer: CommandID)
        case finished(Outcome)
    }

    /// What happens to a flow.
    package enum Event: Sendable {
        case command(VerifiedCommand)
        /// The code was redeemed and the account is stored.
        case redeemed(subject: String)
        case failed(Fault)
        /// The account of the invitation was there, and is current now.
        case switched(subject: String)
        /// The invitation is not taken; the peer is told the reason.
        case declined(AuthError.Reason, Fault)
        case cancelledByUser
        /// A newer login takes its place.
        case superseded
        case deadlinePassed
        /// The peer's connection has gone; its name is for the text.
        case peerLeft(String)
    }

    /// What is to be done then, in order.
    package enum Action: Sendable, Equatable {
        /// Take the question about the invitation back.
        case stopDeciding
        case redeem(code: Secret<String>, subject: String)
        case send(Command, inReplyTo: CommandID?)
        case resolve(Outcome)
    }

    package let id: FlowID
    package let origin: Origin
    /// The identity provider app.
    package let peer: AppID
    /// The pinned issuer: an answer from any other is a mix-up.
    package let issuer: String
    package let clientID: String
    package let state: String
    package let nonce: String
    /// The command that answers refer to: our `authrequest`, or the peer's invitation.
    package let request: CommandID
    package let deadline: Timestamp
    /// The account that was asked for, where one was, and then the one that the answer names.
    package private(set) var subject: String?
    /// What to open once the account is current.
    package let startURL: String?
    package private(set) var phase: Phase

    /// A login whose `authrequest` is about to be sent.
    package init(
        asking peer: AppID, id: FlowID, origin: Origin, issuer: String, clientID: String, state: String,
        nonce: String, request: CommandID, deadline: Timestamp, subject: String? = nil, startURL: String? = nil
    ) {
        self.init(
            id: id, origin: origin, peer: peer, issuer: issuer, clientID: clientID, state: state, nonce: nonce,
            request: request, deadline: deadline, subject: subject, startURL: startURL, phase: .awaitingAnswer)
    }

    /// A hand-off that the identity provider app begins: whether it is taken is to be decided.
    package init(invitedBy command: VerifiedCommand, issuer: String, clientID: String, deadline: Timestamp) {
        self.init(
            id: command.flow, origin: command.name == .idpauthcodeinit ? .keychain : .invitation,
            peer: command.sender, issuer: issuer, clientID: clientID, state: "", nonce: "", request: command.id,
            deadline: deadline, subject: nil, startURL: nil, phase: .invited)
    }

    /// A login whose code came unasked, and was accepted.
    package init(
        redeemingUnasked command: VerifiedCommand, issuer: String, clientID: String, nonce: String, subject: String,
        deadline: Timestamp, startURL: String?
    ) {
        self.init(
            id: command.flow, origin: .keychain, peer: command.sender, issuer: issuer, clientID: clientID, state: "",
            nonce: nonce, request: command.id, deadline: deadline, subject: subject, startURL: startURL,
            phase: .redeeming(answer: command.id))
    }

    private init(
        id: FlowID, origin: Origin, peer: AppID, issuer: String, clientID: String, state: String, nonce: String,
        request: CommandID, deadline: Timestamp, subject: String?, startURL: String?, phase: Phase
    ) {
        self.id = id
        self.origin = origin
        self.peer = peer
        self.issuer = issuer
        self.clientID = clientID
        self.state = state
        self.nonce = nonce
        self.request = request
        self.deadline = deadline
        self.subject = subject
        self.startURL = startURL
        self.phase = phase
    }

    /// The outcome, once there is one.
    package var outcome: Outcome? { if case .finished(let outcome) = phase { outcome } else { nil } }

    /// Where it stands, in the words of the contract.
    package var stage: FlowStage {
        switch phase {
        case .invited: .invited
        case .awaitingAnswer: .waiting
        case .redeeming: .answered
        case .finished(let outcome): .ended(outcome.ending)
        }
    }

    /// Takes an event and says what to do.
    ///
    /// - Throws: for a command what the contract says, `command-late` among it, or `answer-state-mismatch`; the flow is
    ///   then untouched.
    package mutating func receive(_ event: Event) throws(Fault) -> [Action] {
        if case .command(let command) = event { return try receive(command) }
        switch (phase, event) {
        case (.finished, _), (_, .command): return []
        case (.redeeming(let answer), .redeemed(let subject)):
            return finish(.loggedIn(subject: subject), [.send(.authack(.init(.loggedIn)), inReplyTo: answer)])
        case (.redeeming(let answer), .failed(let fault)):
            return finish(
                .failed(code: fault.code.name, text: fault.text),
                [.send(.authack(.init(.failed)), inReplyTo: answer)])
        case (_, .failed(let fault)): return finish(.failed(code: fault.code.name, text: fault.text), [])
        case (.invited, .switched(let subject)):
            return finish(.switched(subject: subject), [.send(.authack(.init(.switched)), inReplyTo: request)])
        case (.invited, .declined(let reason, let fault)):
            return finish(
                .failed(code: fault.code.name, text: fault.text),
                [.send(.error(AuthError(reason)), inReplyTo: request)])
        case (_, .cancelledByUser): return finish(.cancelledByUser, [.send(.cancel, inReplyTo: nil)])
        case (_, .superseded): return finish(.superseded, [.send(.cancel, inReplyTo: nil)])
        case (_, .deadlinePassed): return finish(.timedOut, [.send(.cancel, inReplyTo: nil)])
        case (.awaitingAnswer, .peerLeft(let name)):
            return finish(.failed(code: ErrorCode.peerLeft.name, text: "\(name) left before it answered."), [])
        // Of no use in this stage; once the code is here the peer is not needed any more.
        case (_, .redeemed), (_, .switched), (_, .declined), (_, .peerLeft): return []
        }
    }

    private mutating func receive(_ command: VerifiedCommand) throws(Fault) -> [Action] {
        guard command.sender == peer, command.flow == id else { throw Fault(.commandUncorrelated) }
        try FlowContract.admit(command, at: .client, in: stage)
        switch command.command {
        case .authresponse(let response):
            guard command.inReplyTo == request else { throw Fault(.commandUncorrelated) }
            return try receive(response, id: command.id)
        case .error(let error):
            guard command.inReplyTo == request else { throw Fault(.commandUncorrelated) }
            return finish(.refused(error.reason), [])
        case .cancel: return finish(.cancelledByPeer, [])
        default: throw Fault(.commandUncorrelated, detail: "the contract lets no other command through")
        }
    }

    private mutating func receive(_ response: SPLoginResponse, id answer: CommandID) throws(Fault) -> [Action] {
        guard constantTimeEqual(response.state, state) else { throw Fault(.answerStateMismatch) }
        phase = .redeeming(answer: answer)
        // Compared before anyone is contacted: a mixed-up issuer must not learn the code.
        if !sameBytes(response.issuer, issuer) {
            let text =
                "The answer names the issuer \(response.issuer.shown()), and \(issuer) is pinned; they first differ at "
                + "\(firstDifference(response.issuer, issuer))."
            return try receive(.failed(Fault(.answerIssuerMismatch, text)))
        }
        if !sameBytes(response.clientID, clientID) { return try receive(.failed(Fault(.clientMismatch))) }
        if let subject, !sameBytes(response.subject, subject) { return try receive(.failed(Fault(.wrongAccount))) }
        subject = response.subject
        return [.redeem(code: response.code, subject: response.subject)]
    }

    private mutating func finish(_ outcome: Outcome, _ notices: [Action]) -> [Action] {
        let first: [Action] = phase == .invited ? [.stopDeciding] : []
        phase = .finished(outcome)
        return first + notices + [.resolve(outcome)]
    }
}

extension ClientFlow.Outcome {
    /// The outcome in the words of the contract.
    package var ending: FlowEnding {
        switch self {
        case .loggedIn: .loggedIn
        case .switched: .switched
        case .refused: .refused
        case .failed: .failed
        case .cancelledByUser: .cancelledHere
        case .cancelledByPeer: .cancelledByPeer
        case .timedOut: .timedOut
        case .superseded: .superseded
        }
    }
}

/// Where two texts part, in words: the position, and the rest of each from there.
package func firstDifference(_ left: String, _ right: String) -> String {
    let common = zip(left.unicodeScalars, right.unicodeScalars).prefix { $0 == $1 }.count
    func rest(_ text: String) -> String {
        let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(common).prefix(24)))
        return rest.isEmpty ? "the end" : "“\(rest.shown())”"
    }
    return "character \(common + 1): \(rest(left)) against \(rest(right))"
}
