/// How long a test waits for what must come about, counted in time in which it could have come about.
///
/// A busy machine may stand still for minutes, the clock goes on, and nothing has had its turn: no step between two
/// looks counts for more than a second.
package struct Patience {
    private var left: Duration
    private var lastLook = ContinuousClock.now

    package init(_ limit: Duration) { left = limit }

    /// Returns a moment later; says whether it is worth another look.
    package mutating func lasts(_ pause: Duration = .milliseconds(10)) async throws -> Bool {
        guard left > .zero else { return false }
        try await Task.sleep(for: pause)
        let now = ContinuousClock.now
        left -= min(now - lastLook, .seconds(1))
        lastLook = now
        return true
    }
}
