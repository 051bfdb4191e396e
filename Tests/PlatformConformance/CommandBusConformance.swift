import Basics
package import Platform

/// What every command bus does. Each check makes connections of its own and uses names of its own under
/// `org.countersign.conformance`, so all of them can run on one bus.
package enum CommandBusConformance {
    /// Makes one more connection to the bus under test.
    package typealias Connect = @Sendable () async throws -> any CommandBus

    /// A named rule, and what throws `ConformanceFailure` where a bus breaks it.
    package typealias Check = (
        name: String, run: @Sendable (_ connect: @escaping Connect, _ environment: Environment) async throws -> Void
    )

    /// The rules in the order in which they build on each other.
    package static let checks: [Check] = nameChecks + deliveryChecks + departureChecks

    static func name(_ check: String) -> String { "org.countersign.conformance.\(check)" }
}

/// What arrived, in order, for a test to wait on.
actor Inbox {
    private(set) var deliveries: [Delivery] = []
    private var waits: [(count: Int, promise: Promise<Void>)] = []

    func receive(_ delivery: Delivery) {
        deliveries.append(delivery)
        for wait in waits where wait.count <= deliveries.count { wait.promise.fulfil() }
    }

    private func wait(for count: Int) -> Promise<Void> {
        let promise = Promise<Void>()
        if deliveries.count >= count { promise.fulfil() }
        waits.append((count, promise))
        return promise
    }

    /// The deliveries once there are that many; fails the check when they do not come.
    func first(_ count: Int, within environment: Environment) async throws -> [Delivery] {
        let promise = wait(for: count)
        try await soon(environment, "\(count) deliveries") { try await promise.value() }
        return deliveries
    }
}

/// Runs `work`; fails the check when it is not done within ten seconds.
func soon<Result: Sendable>(
    _ environment: Environment, _ what: String, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    do {
        return try await environment.withDeadline(.seconds(10), orThrow: Fault(.deadlinePassed), work)
    } catch let fault as Fault where fault.code == .deadlinePassed {
        throw ConformanceFailure("\(what): not within ten seconds")
    }
}
