/// What became of the login during which a process died.
package enum DeathOutcome: Sendable, Equatable {
    /// It ended in an account, once; nobody had to do anything.
    case completed
    /// It ended with a reason, and the next login worked.
    case failed(code: String)
    /// Something that must never be: each in a sentence.
    case broken([String])

    /// In words for the table.
    package var words: String {
        switch self {
        case .completed: "completed once"
        case .failed(let code): "failed, \(code); the next one works"
        case .broken(let breaches): "BROKEN: " + breaches.joined(separator: "; ")
        }
    }

    package var breaches: [String] { if case .broken(let breaches) = self { breaches } else { [] } }
}
