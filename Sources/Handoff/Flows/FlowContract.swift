package import Basics

/// The contract of the hand-off as data: for each message in each stage of each side exactly one result.
///
/// `ClientFlow`, `BrokerFlow` and the roles around them ask it, a test drives every cell of it through the real apps, and
/// the tables in docs/handoff-protocol.md are made from it (`scripts/generate`). It speaks of a message by the flow's
/// own peer; one by anybody else is `command-uncorrelated` and touches nothing, in every stage.
package enum FlowContract {
    /// What comes of a message.
    package enum Verdict: Sendable, Hashable {
        /// A flow begins, in that stage.
        case begins(FlowStage)
        /// The flow goes on, in that stage.
        case moves(FlowStage)
        case ends(FlowEnding)
        /// The flow is past it: `command-late` says how far. Nothing changes.
        case late
        /// Nothing changes.
        case refused(ErrorCode)
        /// It is answered at once, and belongs to no flow.
        case answered
    }

    /// One result.
    package struct Cell: Sendable, Hashable {
        package let verdict: Verdict
        /// Whether accounts may change in what follows from it.
        package let changesAccounts: Bool

        /// The same result, from which a change of accounts may follow.
        var changingAccounts: Cell { Cell(verdict: verdict, changesAccounts: true) }

        static func begins(_ stage: FlowStage) -> Cell { Cell(verdict: .begins(stage), changesAccounts: false) }
        static func moves(_ stage: FlowStage) -> Cell { Cell(verdict: .moves(stage), changesAccounts: false) }
        static func ends(_ ending: FlowEnding) -> Cell { Cell(verdict: .ends(ending), changesAccounts: false) }
        static let late = Cell(verdict: .late, changesAccounts: false)
        static func refused(_ code: ErrorCode) -> Cell { Cell(verdict: .refused(code), changesAccounts: false) }
        static let answered = Cell(verdict: .answered, changesAccounts: false)
        /// No message of the peer's is expected here.
        static let uncorrelated = refused(.commandUncorrelated)
        /// There is no record of the flow.
        static let unknown = refused(.flowUnknown)
    }

    /// The results of one message, one for each stage; all ways to have ended count alike.
    struct Row: Sendable {
        let none, invited, waiting, answered, ended: Cell

        init(none: Cell, invited: Cell, waiting: Cell, answered: Cell, ended: Cell) {
            (self.none, self.invited, self.waiting, self.answered, self.ended) =
                (none, invited, waiting, answered, ended)
        }

        /// The same in every stage.
        init(_ cell: Cell) { self.init(none: cell, invited: cell, waiting: cell, answered: cell, ended: cell) }

        subscript(stage: FlowStage) -> Cell {
            switch stage {
            case .none: none
            case .invited: invited
            case .waiting: waiting
            case .answered: answered
            case .ended: ended
            }
        }
    }

    /// The result of a message at an app of that role, with the flow in that stage.
    package static func cell(_ message: FlowMessage, at role: AppRole, in stage: FlowStage) -> Cell {
        switch role {
        case .client: clientRow(message)[stage]
        case .identityProvider: brokerRow(message)[stage]
        }
    }

    /// Lets a command through where it begins, moves or ends a flow.
    ///
    /// - Throws: `command-late`, or the code by which the cell refuses.
    package static func admit(_ command: VerifiedCommand, at role: AppRole, in stage: FlowStage) throws(Fault) {
        switch cell(FlowMessage(command), at: role, in: stage).verdict {
        case .begins, .moves, .ends: return
        case .late:
            throw Fault(.commandLate, "The \(command.name.rawValue) is late: this login \(stage.lateness).")
        case .refused(let code): throw Fault(code, detail: "in the stage “\(stage.word(at: role))”")
        case .answered: throw Fault(.commandUncorrelated, detail: "it belongs to no flow")
        }
    }
}
