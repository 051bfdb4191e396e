/// A bus daemon as a desktop session has one, for the tests alone.
struct SessionBus: Sendable {
    let address: String

    /// Runs `body` while the daemon runs.
    static func running(_ body: (SessionBus) async throws -> Void) async throws {
        let place = try LabHome()
        let daemon = try await RunningProgram.start(
            "dbus-daemon",
            [
                "--session", "--nofork", "--nopidfile", "--print-address",
                "--address=unix:path=\(place.root)/session.bus",
            ],
            environment: place.environment)
        try await always {
            let address = try await eventually("the session bus has an address") { daemon.output.first }
            try await body(SessionBus(address: address))
        } afterwards: {
            await daemon.stopped()
            await place.end()
        }
    }
}
