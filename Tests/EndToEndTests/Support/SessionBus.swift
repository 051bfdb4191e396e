import Testing

/// A bus daemon as a desktop session has one, for the tests alone.
struct SessionBus: Sendable {
    let address: String
    private let daemon: RunningProgram

    /// Runs `body` while the daemon runs.
    static func running<Result>(_ body: (SessionBus) async throws -> Result) async throws -> Result {
        let place = try LabHome()
        let daemon = try await RunningProgram.start(
            "dbus-daemon",
            [
                "--session", "--nofork", "--nopidfile", "--print-address",
                "--address=unix:path=\(place.root)/session.bus",
            ],
            environment: place.environment)
        let address = try await eventually("the session bus has an address") { daemon.output.first }
        let result = try await body(SessionBus(address: address, daemon: daemon))
        await daemon.stopped()
        await place.end()
        return result
    }
}
