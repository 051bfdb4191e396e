package import Basics
package import Platform

/// How a request that got no answer at all is asked again: the same request, a few times, with growing waits.
///
/// For requests alone that a provider answers the second time as the first: those of the token endpoint while it keeps
/// its answer for the same credential, request and key, and those that only read. A refusal is an answer, and ends it.
package struct Repetition: Sendable {
    package let environment: Environment
    private let deadline: Timestamp?

    /// What is waited before the second try and each later one.
    package static let waits: [Duration] = [200, 400, 800, 1_600, 3_200].map { .milliseconds($0) }
    /// No try begins later than this after the first. A provider keeps its answer for ten seconds at least
    /// (docs/handoff-protocol.md, Redeeming); after that the same credential would be a replay.
    package static let window: Duration = .seconds(8)

    /// Makes it; no try begins at `deadline` or later, where there is one.
    package init(in environment: Environment, until deadline: Timestamp? = nil) {
        self.environment = environment
        self.deadline = deadline
    }

    /// Asks, and asks again while there is no answer.
    ///
    /// - Parameter ask: makes the request; what must be fresh in each is made in it.
    /// - Throws: what `ask` threw last.
    package func callAsFunction<Answer>(
        isolation: isolated (any Actor)? = #isolation, _ ask: () async throws -> Answer
    ) async throws -> Answer {
        let windowEnd = environment.now() + Self.window
        let end = deadline.map { min($0, windowEnd) } ?? windowEnd
        for wait in Self.waits {
            do {
                return try await ask()
            } catch let fault as Fault where fault.isSilence {
                guard environment.now() + wait < end else { throw fault }
                try await environment.sleep(for: wait)
                // A wait may last longer than it should.
                guard environment.now() < end else { throw fault }
            }
        }
        return try await ask()
    }
}

extension Fault {
    /// Whether nobody answered, so that nobody knows whether the request was taken.
    fileprivate var isSilence: Bool { code == .httpUnreachable || code == .httpTimeout }
}
