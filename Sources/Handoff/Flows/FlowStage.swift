/// Where a flow stands: the columns of the contract, the same on both sides.
package enum FlowStage: Sendable, Hashable {
    /// This app has no record of it.
    case none
    /// The identity provider app has invited. At the client the person or a rule decides; at the identity provider app
    /// the invitation is out.
    case invited
    /// The client has asked, and there is no answer yet: the client waits, the identity provider app decides.
    case waiting
    /// The answer is there: the client redeems its code, the identity provider app waits to hear how that went.
    case answered
    case ended(FlowEnding)

    /// Every stage a flow can be in at an app of this role, in the order of a login.
    package static func all(at role: AppRole) -> [FlowStage] {
        [.none, .invited, .waiting, .answered] + FlowEnding.all(at: role).map(FlowStage.ended)
    }

    /// Whether a flow is there and goes on.
    package var isPending: Bool {
        switch self {
        case .invited, .waiting, .answered: true
        case .none, .ended: false
        }
    }

    /// The stage in a word or two.
    package func word(at role: AppRole) -> String {
        switch (self, role) {
        case (.none, _): "no flow"
        case (.invited, _): "invited"
        case (.waiting, .client): "awaiting answer"
        case (.waiting, .identityProvider): "deciding"
        case (.answered, .client): "redeeming"
        case (.answered, .identityProvider): "answered"
        case (.ended(let ending), _): ending.rawValue
        }
    }

    /// What a late command is told.
    package var lateness: String {
        switch self {
        case .none, .invited, .waiting, .answered: "was answered before"
        case .ended(let ending): ending.lateness
        }
    }
}

/// How a flow ended: what the contract and a late command are told of it.
package enum FlowEnding: String, Sendable, Hashable, CaseIterable {
    case loggedIn = "logged in"
    case switched
    /// By either side, with a code of the closed list.
    case refused
    case failed
    case cancelledHere = "cancelled here"
    case cancelledByPeer = "cancelled by the peer"
    case timedOut = "timed out"
    /// A newer login of the client took its place; the identity provider app hears that as a cancel.
    case superseded

    /// The endings that there are at an app of this role.
    package static func all(at role: AppRole) -> [FlowEnding] {
        role == .client ? allCases : allCases.filter { $0 != .superseded }
    }

    var lateness: String {
        switch self {
        case .loggedIn: "was answered before, and has succeeded"
        case .switched: "has ended with a switch to an account that was there"
        case .refused: "was refused before"
        case .failed: "has failed before"
        case .cancelledHere: "was cancelled here"
        case .cancelledByPeer: "was cancelled by the app that sends this"
        case .timedOut: "has timed out"
        case .superseded: "was superseded by a newer login"
        }
    }
}
