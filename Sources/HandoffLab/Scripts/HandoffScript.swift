package import StrictYAML

/// A hand-off written down: who takes part, what they do, and what must come of it.
///
/// A script knows nothing of where it is played: every step is a closure over a `Stage`.
package struct HandoffScript: Sendable {
    /// What it shows, in a sentence.
    package var title: String
    /// The file that it was read from, as messages show it.
    package var file: String
    package var tags: [String]
    /// What decides the order of events in the simulation, where the command says nothing else.
    package var seed: UInt64
    package var cast: Cast
    package var steps: [ScriptStep]
}

/// One step, and where it stands.
package struct ScriptStep: Sendable {
    /// The step as it is written: `notes.login`, `expect notes.accounts`.
    package var key: String
    /// What it shows, for reports.
    package var name: String?
    /// Why it must be so, for whoever reads a failure.
    package var because: String?
    package var position: YAMLNode.Position
    package var action: ScriptAction
}

/// What a step does.
package enum ScriptAction: Sendable {
    /// Something that an app or a person does, and how it must end.
    case act(ScriptAct, ends: ExpectedEnd)
    /// Something that must be so within a time.
    case expect(ScriptCheck, within: Duration)
    /// The process that comes to a boundary in the next step is killed there.
    case crash(Death)
    /// Branches that begin together, each one step or several in order; the next step begins when all have ended.
    case parallel([[ScriptStep]])
}

/// Plays one act.
///
/// - Throws: a fault of the stage or of the script; how the app fared is its result.
package typealias ScriptAct = @Sendable (any Stage) async throws -> ActionEnd

/// Looks, and says what is otherwise; `nil` where all is as it should be.
package typealias ScriptCheck = @Sendable (any Stage) async throws -> String?

/// The ways in which an act may end for the one who asked for it.
package enum ExpectedEnd: Sendable, Equatable {
    case any
    /// One of these: `done`, `interrupted`, or an error's code.
    case oneOf([String])

    package static let done = ExpectedEnd.oneOf([doneWord])
    static let doneWord = "done"
    static let interruptedWord = "interrupted"

    /// What is wrong with an end; `nil` where it is one of them.
    func objection(to end: ActionEnd) -> String? {
        guard case .oneOf(let words) = self, !words.contains(end.word) else { return nil }
        return "it ended as \(end.inWords), not as \(words.joined(separator: " or "))"
    }
}

extension ActionEnd {
    /// How scripts name it.
    var word: String {
        switch self {
        case .done: ExpectedEnd.doneWord
        case .interrupted: ExpectedEnd.interruptedWord
        case .failed(let code, _): code
        }
    }

    fileprivate var inWords: String {
        guard case .failed(let code, let text) = self else { return word }
        return "\(code) (\(text))"
    }
}
