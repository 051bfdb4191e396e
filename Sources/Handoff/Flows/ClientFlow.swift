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
        /// The peer refused, by a code from the closed list.
        case refused(AuthError.Reason)
        /// A rule or a fault of our own ended it, by its code.
        case failed(code: String, text: String)
        case cancelledByUser
        case cancelledByPeer
        case timedOut
    }

    /// Where it stands.
    package enum Phase: Sendable, Codable, Equatable {
        /// `authrequest` is out: `authresponse`, `error` and `cancel` are accepted.
        case awaitingAnswer
        /// A code is here and is being redeemed: `cancel` is accepted.
        case redeeming(answer: CommandID)
        /// Nothing is accepted.
        case finished(Outcome)
    }

    /// What happens to a flow.
    package enum Event: Sendable {
        case command(VerifiedCommand)
        /// The code was redeemed and the account is stored.
        case redeemed(subject: String)
        case failed(Fault)
        case cancelledByUser
        case deadlinePassed
        /// The peer's connection has gone; its name is for the text.
        case peerLeft(String)
    }

    /// What is to be done then, in order.
    package enum Action: Sendable, Equatable {
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
    /// The command that answers refer to: our `authrequest`, or the peer's `idpauthcodeinit`.
    package let request: CommandID
    package let deadline: Timestamp
    /// What to open once the account is current.
    package let startURL: String?
    package private(set) var phase: Phase

    /// A login whose `authrequest` is about to be sent.
    package init(
        asking peer: AppID, id: FlowID, origin: Origin, issuer: String, clientID: String, state: String,
        nonce: String, request: CommandID, deadline: Timestamp, startURL: String? = nil
    ) {
        self.init(
            id: id, origin: origin, peer: peer, issuer: issuer, clientID: clientID, state: state, nonce: nonce,
            request: request, deadline: deadline, startURL: startURL, phase: .awaitingAnswer)
    }

    /// A login whose code came unasked, and was accepted.
    package init(
        redeemingUnasked command: VerifiedCommand, issuer: String, clientID: String, nonce: String,
        deadline: Timestamp, startURL: String?
    ) {
        self.init(
            id: command.flow, origin: .keychain, peer: command.sender, issuer: issuer, clientID: clientID, state: "",
            nonce: nonce, request: command.id, deadline: deadline, startURL: startURL,
            phase: .redeeming(answer: command.id))
    }

    private init(
        id: FlowID, origin: Origin, peer: AppID, issuer: String, clientID: String, state: String, nonce: String,
        request: CommandID, deadline: Timestamp, startURL: String?, phase: Phase
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
        self.startURL = startURL
        self.phase = phase
    }

    /// The outcome, once there is one.
    package var outcome: Outcome? { if case .finished(let outcome) = phase { outcome } else { nil } }

    /// Takes an event and says what to do.
    ///
    /// - Throws: `command-uncorrelated` or `answer-state-mismatch` for a command that this flow does not accept now;
    ///   the flow is then untouched.
    package mutating func receive(_ event: Event) throws(Fault) -> [Action] {
        if case .finished = phase {
            guard case .command = event else { return [] }
            throw Fault(.commandUncorrelated, detail: "the flow has ended")
        }
        switch event {
        case .command(let command): return try receive(command)
        case .redeemed(let subject):
            guard let answer else { return [] }
            return finish(.loggedIn(subject: subject), [.send(.authack(.init(.loggedIn)), inReplyTo: answer)])
        case .failed(let fault):
            let notice: [Action] = answer.map { [.send(.authack(.init(.failed)), inReplyTo: $0)] } ?? []
            return finish(.failed(code: fault.code.name, text: fault.text), notice)
        case .cancelledByUser: return finish(.cancelledByUser, [.send(.cancel, inReplyTo: nil)])
        case .deadlinePassed: return finish(.timedOut, [.send(.cancel, inReplyTo: nil)])
        case .peerLeft(let name):
            // Once the code is here the peer is not needed any more.
            guard case .awaitingAnswer = phase else { return [] }
            return finish(.failed(code: ErrorCode.peerLeft.name, text: "\(name) left before it answered."), [])
        }
    }

    private var answer: CommandID? { if case .redeeming(let answer) = phase { answer } else { nil } }

    private mutating func receive(_ command: VerifiedCommand) throws(Fault) -> [Action] {
        guard command.sender == peer, command.flow == id else { throw Fault(.commandUncorrelated) }
        switch (phase, command.command) {
        case (.awaitingAnswer, .authresponse(let response)):
            guard command.inReplyTo == request else { throw Fault(.commandUncorrelated) }
            return try receive(response, id: command.id)
        case (.awaitingAnswer, .error(let error)):
            guard command.inReplyTo == request else { throw Fault(.commandUncorrelated) }
            return finish(.refused(error.reason), [])
        case (.awaitingAnswer, .cancel), (.redeeming, .cancel):
            return finish(.cancelledByPeer, [])
        default:
            throw Fault(.commandUncorrelated, detail: "not accepted in this state")
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
        return [.redeem(code: response.code, subject: response.subject)]
    }

    private mutating func finish(_ outcome: Outcome, _ notices: [Action]) -> [Action] {
        phase = .finished(outcome)
        return notices + [.resolve(outcome)]
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
