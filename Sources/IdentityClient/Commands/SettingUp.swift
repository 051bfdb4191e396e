import Basics
import Platform

/// Holds the commands that arrive while an app is being set up; they are taken, not lost, and not without end.
struct SettingUp: Sendable {
    /// How many may wait.
    static let limit = 32
    /// How long they wait.
    static let patience: Duration = .seconds(30)

    private let finished = Promise<Void>()
    private(set) var waiting = 0

    init(isFinished: Bool) {
        if isFinished { finished.fulfil() }
    }

    var isFinished: Bool { finished.outcome != nil }

    /// Lets those that wait go on.
    func finish() { finished.fulfil() }

    /// Ends the wait of those that wait: the app leaves.
    func end() { finished.settle(.failure(CancellationError())) }

    /// Takes a place among those that wait, and returns what brings the end of the wait.
    ///
    /// - Throws: `too-many-arrivals`.
    mutating func enter() throws(Fault) -> Promise<Void> {
        guard waiting < Self.limit else { throw Fault(.tooManyArrivals) }
        waiting += 1
        return finished
    }

    mutating func leave() { waiting -= 1 }
}
