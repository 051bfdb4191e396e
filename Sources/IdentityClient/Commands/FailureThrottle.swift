import Basics

/// Stops reading from a bus name that sent too many refused commands.
struct FailureThrottle: Sendable {
    private static let window: Duration = .seconds(10)
    private static let limit = 20
    private static let names = 256
    private var failures: [String: [Timestamp]] = [:]

    /// Whether commands of that bus name are dropped unread now.
    func isBlocked(_ name: String, now: Timestamp) -> Bool {
        (failures[name] ?? []).count { now - $0 < Self.window } >= Self.limit
    }

    /// Notes a refused command.
    mutating func note(_ name: String, now: Timestamp) {
        // Bounded: a sender can open many connections, and each is a name of its own.
        if failures.count >= Self.names, failures[name] == nil {
            failures = failures.filter { $0.value.last.map { now - $0 < Self.window } ?? false }
            if failures.count >= Self.names { return }
        }
        failures[name] = (failures[name] ?? []).filter { now - $0 < Self.window } + [now]
    }
}
