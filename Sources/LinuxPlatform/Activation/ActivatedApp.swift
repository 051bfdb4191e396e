package import Basics
import Glibc
package import Platform

/// An app that the bus has started: nobody sits at it, and it leaves when a person starts the app by hand.
package enum ActivatedApp {
    private static let leaveAction = "make-way"

    /// The second name of an activated app, by which the next one knows that it may ask it to leave.
    static func name(of id: String) -> String { id + ".activated" }

    /// Turns the standard streams to nothing: the bus daemon's, which an activated app inherits, are not for it.
    package static func leaveStandardStreams() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        for descriptor: Int32 in 0...2 { dup2(nothing, descriptor) }
        if nothing > 2 { close(nothing) }
    }

    /// Runs an activated app; how it failed goes to its log, since nobody reads its standard error.
    package static func run<Result: Sendable>(
        _ id: String, of home: Home, now: @escaping @Sendable () -> Timestamp, _ body: () async throws -> Result
    ) async throws -> Result {
        let journal = try FileJournal(directory: home.layout.logs, app: id, now: now)
        journal.record(JournalEntry(.note, "started by the bus"))
        do {
            let result = try await body()
            journal.record(JournalEntry(.note, "ended: nothing was left to do"))
            return result
        } catch is CancellationError {
            journal.record(JournalEntry(.note, "ended: it was told to stop"))
            throw CancellationError()
        } catch {
            let fault = error as? any CodedError
            journal.record(
                JournalEntry(
                    .note, "ended: \(fault?.text ?? "\(type(of: error))")", code: fault?.code ?? .internalFault,
                    fields: fault?.detail.map { ["detail": .string($0)] } ?? [:]))
            throw error
        }
    }

    /// Owns the app's second name; whoever calls it there as the same user makes `watch` end the app.
    package static func register(_ id: String, on bus: any CommandBus, _ watch: IdleWatch) async throws {
        let own = geteuid()
        _ = try await bus.register(name(of: id)) { delivery in
            guard delivery.content == .action(name: leaveAction, parameter: nil), delivery.sender?.userID == own
            else { return }
            watch.leave()
        }
    }

    /// Has an activated process of the app leave; says whether there was one and it left.
    package static func makeWay(
        of id: String, on bus: any CommandBus, _ environment: Environment
    ) async throws -> Bool {
        guard let owner = try await bus.owner(of: name(of: id)) else { return false }
        do {
            try await bus.activate(leaveAction, parameter: nil, at: name(of: id))
            try await environment.withDeadline(.seconds(20), orThrow: Fault(.deadlinePassed)) {
                try await bus.departure(of: owner)
            }
            return true
        } catch let fault as Fault where [.peerNotRunning, .deadlinePassed].contains(fault.code) {
            return fault.code == .peerNotRunning
        }
    }
}
